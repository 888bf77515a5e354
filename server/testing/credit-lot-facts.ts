import type { CreditLotFacts } from '#server/modules/credits/credits.ts'

/** Ten credits without restrictions, valid for two months, as the pure rules take them. */
export const creditLotFacts = (values: Partial<CreditLotFacts> = {}): CreditLotFacts => ({
  available_class_id: 1,
  class_package_id: null,
  title: 'Diez',
  unlimited: false,
  granted: 10,
  balance: 10,
  is_courtesy: false,
  is_online: false,
  is_event: false,
  guests_use_credit: true,
  class_type_ids: null,
  location_ids: null,
  allowed_times: [],
  expires_at: new Date('2027-01-19T05:59:59.000Z'),
  days_from_first_class: null,
  frozenAt: null,
  revokedAt: null,
  createdAt: new Date('2026-11-01T00:00:00.000Z'),
  ...values,
})
