/** The months, which the studio's texts write in lower case. */
export const MONTHS_IN_ENGLISH: Readonly<Record<string, string>> = {
  enero: 'January',
  febrero: 'February',
  marzo: 'March',
  abril: 'April',
  mayo: 'May',
  junio: 'June',
  julio: 'July',
  agosto: 'August',
  septiembre: 'September',
  octubre: 'October',
  noviembre: 'November',
  diciembre: 'December',
}
