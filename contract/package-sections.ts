/** Sections and order of packages on a page, without schemas (spec 1 section 2, settled 42). */
import type { ClassPackage } from './catalogue.ts'

/** Trial packages: is_trial, or class_amount 1 together with limit_per_customer 1 (S1-9.09). */
export function isTrialPackage(classPackage: Pick<ClassPackage, 'is_trial' | 'class_amount' | 'limit_per_customer'>): boolean {
  return classPackage.is_trial || (classPackage.class_amount === 1 && classPackage.limit_per_customer === 1)
}

type Ordered = Pick<ClassPackage, 'class_amount' | 'price'> & { sort?: number }

/** By the studio's order (K2); the rest ascending by class_amount with unlimited (-1) last, then by price (S1-2.84). */
export function comparePackages(a: Ordered, b: Ordered): number {
  const chosen = (a.sort ?? 0) - (b.sort ?? 0)
  if (chosen !== 0) return chosen
  const size = (classPackage: { class_amount: number }) =>
    classPackage.class_amount === -1 ? Number.POSITIVE_INFINITY : classPackage.class_amount
  return size(a) === size(b) ? Number(a.price) - Number(b.price) : size(a) - size(b)
}

/**
 * The trial section and the general one of a packages page. The non-home page hides special events from both, and packages limited to 1 per
 * customer from the general one (S1-2.83, S1-2.85, settled 42).
 */
export function packageSections(
  classPackages: readonly ClassPackage[],
  page: 'home' | 'page',
): { trial: ClassPackage[]; general: ClassPackage[] } {
  const sorted = classPackages.filter((classPackage) => page === 'home' || !classPackage.is_special_event).sort(comparePackages)
  return {
    trial: sorted.filter(isTrialPackage),
    general: sorted.filter((classPackage) => !isTrialPackage(classPackage) && (page === 'home' || classPackage.limit_per_customer !== 1)),
  }
}
