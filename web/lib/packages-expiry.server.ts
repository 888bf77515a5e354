/** Until when a document that shows packages is right: special events leave it when they are sold no more (docs/domain.md K13). */
import type { ClassPackage } from '#contract/catalogue.ts'
import type { Rendering } from '#contract/rendering.ts'

export function freshWithPackages(
  { now, freshUntil }: Pick<Rendering<unknown>, 'now' | 'freshUntil'>,
  classPackages: readonly Pick<ClassPackage, 'sold_until'>[],
): void {
  for (const { sold_until } of classPackages) if (sold_until && new Date(sold_until) > now) freshUntil(new Date(sold_until))
}
