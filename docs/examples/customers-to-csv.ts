/**
 * Writes all customers of a studio as CSV, page by page. ESTUDIO_URL is the address of the site, ESTUDIO_KEY a key with the right "Ver
 * clientes": `ESTUDIO_URL=https://estudio.mx ESTUDIO_KEY=est_… node docs/examples/customers-to-csv.ts`
 */
import { openEstudio } from '../../client/estudio.ts'

const { ESTUDIO_URL: url = 'http://localhost:3000', ESTUDIO_KEY: key = '' } = process.env
const estudio = openEstudio({ url, key })

const cell = (text: string | null): string => `"${(text ?? '').replaceAll('"', '""')}"`

process.stdout.write('id,name,email,phone\n')
for (let page = 1; ; page++) {
  const { customers, pages } = await estudio.people.list({ page })
  for (const { customer_id, name, last_name, email, phone } of customers)
    process.stdout.write(`${[customer_id, cell(`${name} ${last_name}`), cell(email), cell(phone)].join(',')}\n`)
  if (page >= pages) break
}
