/** Correctly signed bodies that are not an event of any processor. */
export const NO_EVENTS = [
  'null',
  '[]',
  '"evt_1"',
  '{}',
  '{"id":"evt_1"',
  '{"id":"evt_1","type":"order.paid","event_type":"CHECKOUT.ORDER.APPROVED","created":1,"created_at":1,"livemode":false,"data":null,"resource":null}',
  '{"id":"evt\\u0000","type":"order.paid","event_type":"CHECKOUT.ORDER.APPROVED","created":1,"created_at":1,"create_time":"2026-11-19T16:00:00Z","livemode":false,"data":{"object":{}},"resource":{}}',
]
