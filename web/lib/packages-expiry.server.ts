/** Cache lifetime of documents that show packages. */
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Rendering } from '#contract/rendering.ts'

/** Ends the lifetime of a document at the next end of a package's sale: special events disappear then (docs/domain.md K13). */
export function freshWithPackages(
  { now, freshUntil }: Pick<Rendering<unknown>, 'now' | 'freshUntil'>,
  classPackages: readonly Pick<ClassPackage, 'sold_until'>[],
): void {
  for (const { sold_until } of classPackages) if (sold_until && new Date(sold_until) > now) freshUntil(new Date(sold_until))
}
