import type { Failure } from '#web/lib/errors.ts'

/** Why a PIN did not unlock the device. After too many attempts it has the time to wait, up to twelve minutes per person (E16). */
export function pinRefusal({ code, message, data }: Pick<Failure, 'code' | 'message' | 'data'>): string {
  const seconds = code === 'TOO_MANY_REQUESTS' && typeof data.retry_after === 'number' ? data.retry_after : 0
  const minutes = Math.ceil(seconds / 60)
  return minutes > 1 ? `Demasiados intentos. Espera ${minutes} minutos, o usa tu cuenta en otro dispositivo.` : message
}
