/**
 * The words behind most leaked passwords, in English and Mexican Spanish, without accents. Combined with the endings and keyboard walks
 * that `password-policy.ts` recognizes they cover several hundred thousand passwords.
 */
const PARTS = `
password passwort passwd pass secret secreta secreto default letmein welcome bienvenido bienvenida admin administrador administrator root user usuario
guest invitado login target isabella access acceso master maestro maestra system sistema server servidor computer computadora internet windows microsoft google
facebook instagram whatsapp youtube twitter tiktok netflix spotify amazon iphone samsung android nokia motorola telcel infinitum telmex
contrasena contra clave claves miclave micontrasena micuenta cuenta nueva nuevo temporal cambiar cambiame prueba pruebas test testing tester demo ejemplo hola
holamundo hello helloworld hi nothing nada nose noselase nolose olvide olvidala changeme change trustno trustnoone whatever qwe asd zxc abc abcd abcde
abcdef abcdefg asdf asdfg asdfgh qwer qwert qwerty qwertyu qwertz azerty zxcv zxcvb zxcvbn qaz wsx qazwsx
love lover loveyou iloveyou iloveu ilove loveme mylove lovely amor amores amorcito miamor miamorcito teamo teamomucho teamoamor teamomama teamodios teadoro tequiero
tequieromucho tkm tqm tequierotanto siempre siempreteamo porsiempre juntos juntosporsiempre besos beso besitos corazon corazones corazoncito micorazon mivida vida vidamia
mialma alma cielo micielo cielito bebe bebito bebita mibebe nena nene princesa princesita principe reina rey reyna hermosa hermoso bonita bonito linda
lindo preciosa precioso chula chulo guapa guapo muneca munequita chiquita chiquito gorda gordo gordita gordito flaca flaco flaquita negra negro negrita negrito
morena moreno guera guero guerita chaparra chaparrita chaparro peque pequena pequeno mami mama mamita mamacita papi papa papito papacito familia mifamilia
hijos mishijos hija hijo hermana hermano hermanos abuela abuelo abuelita amiga amigo amigas amigos amistad novia novio esposa esposo boda
dios diosito jesus jesucristo cristo jehova mariajose virgen guadalupe lupita angel angeles angelito angelita santo santiago bendicion bendiciones bendecida fe esperanza
paz felicidad feliz alegria sonrisa libertad libre suerte fortuna dinero rico exito estrella estrellas estrellita luna lunita sol solecito solarium
mar playa arena agua fuego tierra aire viento lluvia nieve flor flores florecita rosa rosas rosita margarita girasol jazmin violeta azul
rojo verde amarillo morado rosado blanco negros plata oro dorado diamante diamond cristal perla mariposa mariposas gato gatito gatita gatos perro
perrito perrita perros perrote cachorro conejo conejito osito oso pajaro paloma aguila leon leona tigre tigres tigresa lobo lobos caballo caballos
delfin delfines dragon dragones dragonball goku gokussj vegeta naruto sasuke sakura pokemon pikachu mario luigi zelda minecraft fortnite roblox xbox
playstation nintendo halo gears callofduty counterstrike starwars matrix superman batman spiderman ironman avengers marvel thor hulk joker harrypotter hogwarts disney
mickey minnie winnie pooh bambi simba elsa frozen barbie hellokitty kitty snoopy garfield bugsbunny tweety piolin taz sonic
futbol football soccer baseball basketball basquet beisbol hockey tenis golf golfer deporte deportes campeon campeones campeona champion futbolista
america aguilas chivas guadalajara cruzazul pumas tigresuanl rayados monterrey santos santoslaguna toluca atlas pachuca leones necaxa puebla queretaro tijuana xolos
morelia veracruz barcelona barca realmadrid madrid messi ronaldo cristiano neymar maradona pele chicharito liverpool chelsea arsenal manchester juventus milan
mexico mexicano mexicana vivamexico mexicolindo defe chilango jalisco sinaloa culiacan sonora hermosillo chihuahua juarez coahuila saltillo torreon durango zacatecas
tamaulipas tampico reynosa nuevoleon sanluis guanajuato aguascalientes michoacan colima nayarit tepic acapulco guerrero oaxaca chiapas tabasco campeche yucatan merida
cancun quintanaroo hidalgo tlaxcala morelos cuernavaca baja ensenada mexicali tequila mezcal corona cerveza tacos taco chile chocolate chocolates galleta
galletas dulce dulces caramelo azucar miel fresa fresas cereza manzana naranja limon sandia mango platano banana cookie cookies candy
sugar honey sweet sweety sweetheart baby babygirl babyboy boy girl girls boys man woman lady queen king prince princess angelbaby
sunshine moonlight rainbow flower flowers butterfly summer winter spring autumn monday friday sunday january june july august october november december
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo primavera
verano otono invierno navidad cumpleanos fiesta musica music guitarra guitar piano cancion rock rockandroll metal metallica nirvana beatles blink
slipknot linkin linkinpark greenday eminem shakira rbd rebelde belinda thalia luismi luismiguel vicente joanna juanga selena bts blackpink army
michael jordan michelle jennifer jessica ashley amanda nicole daniel daniela andrew andrea joshua matthew anthony robert thomas charlie george william
maria mariana marisol martha marta marcela maribel margot mercedes monica miriam jose josemaria joseluis juan juanito juancarlos juanjose juanpablo pedro pedrito
pablo pablito luis luisito carlos carlitos jorge jorgito miguel miguelito miguelangel manuel manolo francisco pancho paco javier fernando fernanda fer
ricardo roberto rafael raul ramon rodrigo ruben oscar omar orlando octavio hector hugo ivan isaac ismael israel ignacio jaime jesusito
joaquin joel jonathan julian juliocesar leonardo lorenzo marcos mario mauricio maximiliano nestor nicolas noe pascual patricio rene rigoberto salvador samuel
sergio saul sebastian simon tomas ulises uriel valentin victor vladimir xavier yahir alan alberto alejandro alejandra alex alexander alexandra alexis alfonso
alfredo alvaro antonio armando arturo benito benjamin bernardo bruno cesar christian cristian cristina damian david diego edgar edmundo eduardo eduardito efrain
elias emiliano emilio enrique erick erik ernesto esteban felipe felix gabriel gabriela gerardo german gilberto gonzalo guillermo gustavo adrian adriana agustin
aldo abel abraham adan ana anita anamaria anakaren ariadna araceli aurora azucena beatriz betty berenice blanca brenda camila carla karla carmen
carolina cecilia claudia consuelo dafne dayana diana dolores dulcemaria edith elena elizabeth elvira emma erika esmeralda esperanzas estefania esther eugenia eva
evelyn fabiola fatima flora frida gloria graciela guadalupana ilse ines ingrid irene iris irma isabel isabela ivonne jacqueline janet jazmine jimena
ximena josefina juana julia juliana julieta karen karina katia kimberly laura leticia leslie lidia liliana lizbeth lorena lourdes lucero lucia luciana
lucy luisa luz magdalena maite melissa melisa mireya montserrat nadia nancy natalia nataly nayeli norma olga olivia pamela paola patricia paty
paulina perla pilar raquel rebeca regina renata rocio romina rosario roxana ruth sandra sara sarita sarahi silvia sofia sonia susana tania
tatiana teresa valentina valeria vanessa veronica vero victoria virginia viridiana viviana wendy yadira yareli yesenia yolanda zaira zoe
garcia hernandez martinez lopez gonzalez rodriguez perez sanchez ramirez flores gomez diaz reyes torres cruz morales gutierrez ortiz chavez ramos ruiz
mendoza alvarez castillo jimenez moreno romero vazquez rivera herrera medina vargas castro guzman munoz salazar soto aguilar rojas delgado contreras
pilates yoga barre ciclo spinning crossfit gym gimnasio fitness fit box boxeo boxing workout ejercicio entrenar entrenamiento studio estudio clase clases
baile danza dance dancer ballet zumba salud health fuerza fuerte strong power running runner correr bici bicicleta bike cycling coach
superstar rockstar ninja pirate samurai warrior guerrero guerrera shadow ghost killer hunter ranger phoenix falcon eagle tiger lion wolf bear monkey
panda dolphin horse pony puppy doggy kitten mustang ferrari porsche mercedesbenz bmw audi toyota honda nissan tsuru vocho jetta harley yamaha
cowboy cowboys yankees lakers dodgers raiders steelers patriots packers bulls heat eagles giants maverick merlin gandalf frodo hobbit mordor tolkien
freedom forever together family friends friend happy lucky money cash rich boss bossy sexy hottie cutie bitch fuckyou fuck fucker asshole pussy
puto puta putos pendejo pendeja cabron cabrones chingon chingona chingada verga vergas culo mierda joto wey guey orale carajo pinche mamon
jordan hannah sophie chloe ginger pepper buster bailey maggie sophia charles peanut cheese coffee pizza burger banana orange purple yellow silver golden
scooter hacker hackers blessed blessing faith grace heaven jesuschrist lord godisgood praise church biblia bible iglesia
doctor doctora medico enfermera abogado abogada ingeniero ingeniera profesor profesora escuela universidad unam ipn poli politecnico tec prepa secundaria
trabajo oficina empresa negocio ventas gerente jefe jefa casa micasa hogar puerta ventana carro coche moto avion tren barco celular telefono
abcabc aaa aeiou quetal quehubo buenosdias buenasnoches gracias porfavor perdon ayuda ayudame salvame mientras nomeacuerdo yomismo yosoy soyyo porque
tumama tupapa yotambien todobien todo nadie alguien mundo universo planeta infinito eterno eternidad locura loco loca loquito loquita payaso diablo diablita
diabla demonio muerte calavera catrina zombie vampiro vampire crepusculo twilight edward bella jacob
`

export const commonPasswordParts: ReadonlySet<string> = new Set(PARTS.trim().split(/\s+/))
