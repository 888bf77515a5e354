import { adminReservationPath } from '#contract/admin-home.ts'

/** The QR code of the address that opens a reservation at reception, as a data address. Its library is loaded only when a code is drawn. */
export async function drawAccessCode(publicUrl: string, reservationId: number): Promise<string> {
  const { default: qr } = await import('qrcode')
  return await qr.toDataURL(`${publicUrl}${adminReservationPath(reservationId)}`, { width: 560, margin: 1, errorCorrectionLevel: 'M' })
}
