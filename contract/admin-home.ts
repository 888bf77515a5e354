/** The addresses of the administration that pages of customers need; all others are in contract/admin-paths.ts. */

/** Opens the first screen of the staff member's role. */
export const ADMIN_HOME = '/admin'

/** The page of a reservation at reception: a customer's access code is its QR code. */
export const adminReservationPath = (reservationId: number) => `${ADMIN_HOME}/reservaciones/${reservationId}`
