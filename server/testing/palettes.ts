/** Twenty-four brands that no demo has: pastel, neon, one hue, all dark, all light, grey. Tests measure what the product makes of them. */
import type { Theme } from '#contract/color.ts'

type Six = readonly [primary: string, accent: string, dark: string, gray: string, light: string, primaryLight: string]

const BRANDS: Record<string, Six> = {
  amarillo: ['#FFE600', '#E4002B', '#111111', '#6E6E6E', '#FFFDF0', '#FFF6A8'],
  rosa: ['#E8B4BC', '#6E4555', '#2B1A21', '#8A7680', '#FFF8F8', '#F8E3E6'],
  menta: ['#9FE2C8', '#F2994A', '#0F2B23', '#6B8078', '#F5FBF8', '#D9F4E9'],
  lavanda: ['#C9B6F2', '#F5C451', '#241A3D', '#7A7390', '#FAF8FF', '#E9E1FC'],
  durazno: ['#FFC9A3', '#2F6F73', '#33211A', '#87786F', '#FFF9F4', '#FFE8D8'],
  cielo: ['#A8D8F0', '#F26B5E', '#0E2A38', '#6A7F8A', '#F5FBFE', '#DCF0FA'],
  limon: ['#D7F205', '#7A00F5', '#14160A', '#70745F', '#FBFDEB', '#EFFAA5'],
  arena: ['#E3D2B4', '#9C4A2F', '#2C2418', '#857B6A', '#FBF8F2', '#F1E7D5'],
  neonVerde: ['#39FF14', '#FF00E6', '#050505', '#7A7A7A', '#FFFFFF', '#CFFFC7'],
  neonRosa: ['#FF10F0', '#10FFEF', '#0A0014', '#86779A', '#FFF5FF', '#FFC9FB'],
  neonCian: ['#00F0FF', '#FF3D00', '#001A1C', '#5F7F82', '#F2FFFF', '#B8FBFF'],
  rojo: ['#E10600', '#FFC300', '#140202', '#7D6B6A', '#FFF7F6', '#FFD6D4'],
  vino: ['#6B1230', '#D8A25E', '#1E0710', '#83707A', '#FAF4F1', '#F0D3DC'],
  bosque: ['#1F5B3A', '#E0B33C', '#0B1F14', '#68786E', '#F4F7F2', '#CFE6D8'],
  marino: ['#0B2545', '#F4A259', '#050F1D', '#6B7685', '#F5F7FA', '#CBD9EC'],
  terracota: ['#C4532D', '#2A6F6B', '#2A140C', '#85746C', '#FCF6F2', '#F6D5C8'],
  unTono: ['#3A6EA5', '#4F83BA', '#12273C', '#6E8094', '#EEF3F8', '#C9DCEF'],
  unTonoClaro: ['#F4B6C2', '#F7CAD0', '#5C2A37', '#96727C', '#FFF5F7', '#FBDCE2'],
  todoOscuro: ['#111827', '#1F2937', '#0B0F19', '#1B2330', '#131A26', '#182030'],
  todoClaro: ['#F7F7F2', '#F0EFE6', '#E9E8DE', '#F2F1EA', '#FFFFFF', '#FAFAF6'],
  gris: ['#808080', '#8A8A8A', '#7A7A7A', '#848484', '#888888', '#8C8C8C'],
  negro: ['#000000', '#FFFFFF', '#000000', '#777777', '#FFFFFF', '#E5E5E5'],
  blanco: ['#FFFFFF', '#000000', '#000000', '#777777', '#FFFFFF', '#F2F2F2'],
  naranja: ['#FF8A00', '#00524E', '#241300', '#857565', '#FFF9F1', '#FFE2BD'],
}

/** Day and night alternate by row, so that both modes have every kind of brand within two rows. */
export const palettes: Record<string, Theme> = Object.fromEntries(
  Object.entries(BRANDS).map(([name, [primary, accent, dark, gray, light, primaryLight]], at): [string, Theme] => [
    name,
    {
      primary,
      accent,
      dark,
      gray,
      light,
      'primary-light': primaryLight,
      theme_mode: at % 4 === 3 ? 'noche' : 'dia',
      theme_shape: (['recta', 'suave', 'redonda'] as const)[at % 3] ?? 'suave',
      theme_voice: (['ancha', 'normal', 'condensada'] as const)[at % 3] ?? 'normal',
    },
  ]),
)
