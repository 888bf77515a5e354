import { staff } from './studio-people.ts'

export const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
export const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }

/** Opens the till at the first location, which a sale in cash requires. */
export async function openTill(request: Parameters<typeof staff>[0], role: 'reception' | 'manager') {
  const call = await staff(request, role)
  const { locations } = await call<{ locations: { location_id: number }[] }>('GET', '/locations')
  const location_id = locations[0]?.location_id ?? 0
  const { cash_session } = await call<{ cash_session: object | null }>('GET', `/admin/cash_sessions/current?location_id=${location_id}`)
  if (!cash_session) await call('POST', '/admin/cash_sessions', { location_id, opening: '500' }).catch(() => undefined)
  return location_id
}
