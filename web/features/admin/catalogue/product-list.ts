/** Products as the administration edits them: the shape of the plain lists, with a field of counted pieces for each location. */
import { formatPesos } from '#contract/money.ts'
import type { Product } from '#contract/products.ts'
import { api, queries } from '#web/lib/api.ts'
import { type CatalogueList, type CatalogueRecord, joinFacts, text } from './catalogue-lists.ts'
import { ProductStock } from './product-stock.tsx'

interface ListedLocation {
  location_id: number
  name: string
}
const STOCK = /^pieces_(\d+)$/

/** A product as the form holds it: its pieces in a field for each location. */
const asRecord = ({ stock, tax_rate, ...row }: Product): CatalogueRecord => ({
  ...row,
  tax_rate: tax_rate === null ? '' : String(tax_rate),
  ...Object.fromEntries(stock.map(({ location_id, quantity }) => [`pieces_${location_id}`, quantity])),
})

/** The fields of the form on the wire. */
export function productSent(fields: CatalogueRecord) {
  const entries = Object.entries(fields)
  const stock = entries.flatMap(([key, value]) => {
    const location_id = STOCK.exec(key)?.[1]
    return location_id === undefined ? [] : [{ location_id: Number(location_id), quantity: value === null ? null : Number(value) }]
  })
  return {
    ...Object.fromEntries(entries.filter(([key]) => !STOCK.test(key))),
    ...(stock.length > 0 ? { stock } : {}),
  }
}

const isArchived = (row: CatalogueRecord) => row.archived === true

/** The list of products for the locations of the studio. */
export function productList(locations: readonly ListedLocation[]): CatalogueList {
  const update = (fields: CatalogueRecord) => api.products.update(productSent(fields) as Parameters<typeof api.products.update>[0])
  return {
    slug: 'productos',
    title: 'Productos',
    add: 'Nuevo producto',
    one: 'Producto',
    thisOne: 'este producto',
    idKey: 'product_id',
    empty: 'Aquí van las cosas que vendes en recepción: agua, calcetines, playeras.',
    fields: [
      { key: 'name', label: 'Nombre', kind: 'text', required: true, max: 120 },
      { key: 'price', label: 'Precio', kind: 'money', required: true, hint: 'De una pieza, con IVA.' },
      {
        key: 'tax_rate',
        label: 'IVA',
        kind: 'select',
        isNumber: true,
        hint: 'Sin elegir: el de la sucursal o de Ajustes.',
        options: ['16', '8', '0'].map((value) => ({ value, label: `${value} %` })),
      },
      { key: 'tax_exempt', label: 'Exento de IVA', kind: 'switch', hint: 'Su factura dice Exento, que no es una tasa de 0 %.' },
      ...locations.map(({ location_id, name }) => ({
        key: `pieces_${location_id}`,
        label: locations.length > 1 ? `Piezas en ${name}` : 'Piezas',
        kind: 'number' as const,
        hint: 'Las que contaste ahora. Vacío: no se cuentan.',
        onlyNew: true,
      })),
      { key: 'sort', label: 'Orden', kind: 'number', required: true, hint: 'Los números menores van primero.', initial: '0' },
    ],
    about: (row) =>
      joinFacts(
        formatPesos(text(row.price)),
        ...locations.map(({ location_id, name }) => {
          const pieces = row[`pieces_${location_id}`]
          return pieces === undefined ? '' : locations.length > 1 ? `${text(pieces)} en ${name}` : `${text(pieces)} en existencia`
        }),
        isArchived(row) && 'Archivado',
      ),
    details: ProductStock,
    verbs: (row) => [
      {
        label: isArchived(row) ? 'Volver a vender' : 'Archivar',
        done: isArchived(row) ? 'Otra vez a la venta.' : 'Archivado. Ya no se vende.',
        call: () => update({ product_id: row.product_id, archived: !isArchived(row) }),
      },
    ],
    query: () => queries.products.list.queryOptions({ input: { archived: true }, meta: { handled: true } }),
    rowsOf: (answer) => (answer as { products: Product[] }).products.map(asRecord),
    create: (fields) => api.products.create(productSent(fields) as Parameters<typeof api.products.create>[0]),
    update,
    remove: null,
    saved: 'Guardado.',
    removed: 'Archivado.',
  }
}
