/** How packages stand on a page, without schemas (spec 1 section 2, decision 42). */
import type { ClassPackage } from './catalogue.ts'

/** Trial packages: is_trial, or class_amount 1 together with limit_per_customer 1 (S1-9.09). */
export function isTrialPackage(pack: Pick<ClassPackage, 'is_trial' | 'class_amount' | 'limit_per_customer'>): boolean {
  return pack.is_trial || (pack.class_amount === 1 && pack.limit_per_customer === 1)
}

/** Ascending by class_amount with unlimited (-1) last, then by price (S1-2.84). */
export function comparePackages(a: Pick<ClassPackage, 'class_amount' | 'price'>, b: Pick<ClassPackage, 'class_amount' | 'price'>): number {
  const size = (pack: { class_amount: number }) => (pack.class_amount === -1 ? Number.POSITIVE_INFINITY : pack.class_amount)
  return size(a) === size(b) ? Number(a.price) - Number(b.price) : size(a) - size(b)
}

/** The trial section and the general one of a packages page; the non-home page hides special events and packages limited to 1 per customer (S1-2.83, S1-2.85, decision 42). */
export function packageSections(
  packs: readonly ClassPackage[],
  place: 'home' | 'page',
): { trial: ClassPackage[]; general: ClassPackage[] } {
  const sorted = [...packs].sort(comparePackages)
  return {
    trial: sorted.filter(isTrialPackage),
    general: sorted.filter(
      (pack) => !isTrialPackage(pack) && (place === 'home' || (!pack.is_special_event && pack.limit_per_customer !== 1)),
    ),
  }
}
