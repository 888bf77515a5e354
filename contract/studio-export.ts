/** Everything of the studio as files that any program reads, and that another studio imports (docs/domain.md, "The studio as files"). */
import * as z from 'zod'
import { endpoint } from './endpoint.ts'

export const studioExport = {
  /**
   * A ZIP of CSV files (UTF-8) with a README of their columns: customers, credits and their movements, classes, reservations, purchases, charges,
   * refunds, packages, discounts, the catalogue, pages, notices, the audit trail, public settings. Never cards, passwords, keys or log-ins.
   * `clientes.csv` can be imported into another studio.
   */
  download: endpoint('GET', '/admin/exports/studio', 'staff:data.export', 'Exportar', 'Exportar todo el estudio').output(z.file()),
}
