/**
 * Every address of the administration, built here and nowhere else. Apart from `paths.ts`, which every public page brings along: a visitor
 * has no use for these.
 */
const seg = (value: string | number) => encodeURIComponent(String(value))

export const adminPaths = {
  /** Leads on to the screen that each role begins with. */
  home: '/admin',
  today: '/admin/hoy',
  /** The coach's home. */
  myClasses: '/admin/mis-clases',
  roster: (singleClassId: number) => `/admin/clases/${seg(singleClassId)}`,
  /** What the QR code of a reservation opens (settled 26). */
  reservation: (classReservationId: number) => `/admin/reservaciones/${seg(classReservationId)}`,
  /** The same, only to read: opening it does not check anybody in. */
  reservationDetails: (classReservationId: number) => `/admin/reservaciones/${seg(classReservationId)}?ver=detalle`,
  reservations: '/admin/reservaciones',
  scan: '/admin/escanear',
  customers: '/admin/clientes',
  customer: (customerId: number) => `/admin/clientes/${seg(customerId)}`,
  sales: '/admin/ventas',
  /** The counter; `cliente`: whom something is sold to; `clase`: a place in it stands in the basket already. */
  newSale: '/admin/ventas/nueva',
  newSaleWith: (given: { cliente: number; clase?: number }) =>
    `/admin/ventas/nueva?${new URLSearchParams(Object.entries(given).map(([key, id]) => [key, String(id)]))}`,
  till: '/admin/caja',
  tillCounts: '/admin/caja/cortes',
  tillCount: (cashSessionId: number) => `/admin/caja/cortes/${seg(cashSessionId)}`,
  sale: (purchaseId: number) => `/admin/ventas/${seg(purchaseId)}`,
} as const
