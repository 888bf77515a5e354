/** Search of the administration: customers, classes and purchases with one text, for the palette (docs/domain.md Z1 to Z4). */
import * as z from 'zod'
import { endpoint, id, instant, pesosWire, singleLine } from './endpoint.ts'
import { purchaseStatus } from './sales.ts'

const foundCustomer = z.object({
  customer_id: id.describe('Cliente.'),
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})
export type FoundCustomer = z.infer<typeof foundCustomer>

const foundClass = z.object({
  single_class_id: id.describe('Clase.'),
  name: z.string().describe('Tipo de clase.'),
  class_date: instant,
  coach: z.string().describe('Coaches de la clase; vacío: no tiene.'),
  location: z.string().describe('Estudio (sucursal) de la clase.'),
  cancelled: z.boolean().describe('Si el estudio la canceló.'),
})
export type FoundClass = z.infer<typeof foundClass>

const foundPurchase = z.object({
  purchase_id: id.describe('Compra.'),
  title: z.string().describe('Lo que se compró.'),
  customer: z.string().describe('Nombre de quien compró.'),
  total: pesosWire.describe('Total de la compra.'),
  status: purchaseStatus.describe('Estado de la compra.'),
  createdAt: instant.describe('Cuándo se compró.'),
})
export type FoundPurchase = z.infer<typeof foundPurchase>

const foundSetting = z.object({
  key: z.string().describe('Clave del ajuste.'),
  label: z.string(),
  area: z.string().describe('Pantalla de ajustes donde está.'),
  group: z.string().describe('Grupo de esa pantalla.'),
})
export type FoundSetting = z.infer<typeof foundSetting>

export const search = {
  /**
   * What fits a text. Customers by name, telephone and e-mail (`customers.read`); classes of yesterday and the next three weeks by type,
   * coach, location, weekday, day, month and hour (`roster.all`, otherwise the own ones), where the person works; the purchase with that
   * number (`sales.sell`); settings by the words of their label, group and help (`settings.edit`). A kind without the right is empty.
   * Nearest classes first.
   */
  find: endpoint('GET', '/admin/search', 'staff', 'Búsqueda', 'Buscar en la administración')
    .input(
      z.object({ query: singleLine(100).min(1).describe('Palabras en cualquier orden, sin acentos; o el número de una compra, #001284.') }),
    )
    .output(
      z.object({
        customers: z.array(foundCustomer).describe('Clientes que coinciden.'),
        classes: z.array(foundClass).describe('Clases que coinciden, la más próxima primero.'),
        purchases: z.array(foundPurchase).describe('La compra con ese número.'),
        settings: z.array(foundSetting).describe('Ajustes que coinciden.'),
      }),
    ),
}
