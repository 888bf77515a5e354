/** Names of a demo's invented customers. */
import type { Chance } from './chance.ts'

const FIRST =
  'Abril Adriana Alejandra Alma Andrea Andrés Antonio Arturo Aurora Beatriz Bruno Camila Carla Carlos Carmen Cecilia César Claudia Constanza Damián Daniela Darío Diana Eduardo Elena Elisa Emilia Enrique Ernesto Esteban Eugenia Fabián Fátima Federico Fernanda Gabriel Gabriela Georgina Gilberto Gloria Guadalupe Héctor Hugo Ignacio Inés Irene Isabel Iván Jazmín Jimena Joaquín Jorge Julia Karen Laura Leonardo Leticia Lorena Luis Maite Marcela Marco Mariel Martha Mateo Mónica Natalia Nicolás Olga Omar Óscar Pablo Paola Paulina Pilar Ramiro Raquel Regina Ricardo Roberto Rocío Rosario Rubén Samuel Sandra Santiago Sara Sergio Silvia Sofía Susana Tania Teresa Valentina Verónica Victoria Ximena Yolanda'.split(
    ' ',
  )
const LAST =
  'Aguilar Alcántara Arellano Arriaga Ávila Ayala Barragán Bautista Becerra Benítez Cabrera Camacho Campos Cárdenas Carrillo Castañeda Cervera Chávez Cisneros Contreras Correa Cuevas Dávila Delgado Durán Escobedo Espinoza Esquivel Figueroa Galindo Gallardo Garduño Godínez Güereña Guzmán Herrera Ibarra Islas Juárez Lagunes Lozano Luna Macías Maldonado Márquez Medina Mejía Meza Mondragón Montes Morales Nájera Navarro Ochoa Olvera Ordóñez Orozco Pacheco Palacios Paz Peñafiel Pineda Quintero Rangel Rentería Reyes Ríos Robledo Rosales Rueda Salcedo Sandoval Segura Serrano Solís Tapia Tovar Trujillo Urrutia Valdés Vargas Velasco Villaseñor Zamora Zavala'.split(
    ' ',
  )
const GUESTS = ['Jimena', 'Diego', 'Paty', 'Sebastián', 'Mamá', 'Rodrigo', 'Lupita', 'Nacho', 'Caro', 'Memo']

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()

/** Person number `n`: always the same name. The email ends in .example, a reserved domain without mail. */
export function personName(n: number, chance: Chance): { name: string; last_name: string; email: string } {
  const name = chance.one(FIRST)
  const last = chance.one(LAST)
  return { name, last_name: `${last} ${chance.one(LAST)}`, email: `${plain(name)}.${plain(last)}${n}@${INVENTED}` }
}

/** The email domain of invented people. */
export const INVENTED = 'correo.example'

export const guestName = (chance: Chance): string => chance.one(GUESTS)

const COMMENTS = [
  'Gran clase, salí flotando.',
  'Me ayudó mucho la corrección de espalda.',
  'Buena música y buen ritmo.',
  'Un poco rápida para mí, pero bien explicada.',
  'La mejor hora de mi semana.',
  'Faltó tiempo para estirar.',
  'Gracias por la paciencia.',
]
export const comment = (chance: Chance): string => chance.one(COMMENTS)
