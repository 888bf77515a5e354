/** What a package's card shows. Apart from the card: the computation of its texts stays out of the scripts of public pages. */
import type { ClassPackage } from '#contract/catalogue.ts'
import { describesTwice, type PackageTexts, packageText } from './package-text.ts'

/** The fields of a package that its card needs, with its texts: public pages send only these to the browser, without what computes them. */
export type CardPackage = Pick<
  ClassPackage,
  | 'class_package_id'
  | 'title'
  | 'short_description'
  | 'description'
  | 'price'
  | 'sale_price'
  | 'class_amount'
  | 'expiration_days'
  | 'clock_starts'
  | 'is_special_event'
  | 'is_featured'
  | 'is_subscription'
  | 'subscription_period'
  | 'subscription_interval'
  | 'free_trial_length'
  | 'free_trial_period'
  | 'limit_per_customer'
  | 'left'
  | 'limits'
> & { texts: PackageTexts }

/** Picks the card's fields from an answer of the API, and writes its texts. */
export function cardPackage(full: ClassPackage): CardPackage {
  const { class_package_id, title, short_description, price, sale_price, class_amount, expiration_days, is_special_event } = full
  const { is_featured, is_subscription, subscription_period, subscription_interval, free_trial_length, free_trial_period } = full
  const { limit_per_customer, left, clock_starts, limits } = full
  return {
    class_package_id,
    title,
    short_description,
    // The same text is not sent twice.
    description: describesTwice(full) ? '' : full.description,
    price,
    sale_price,
    class_amount,
    expiration_days,
    is_special_event,
    is_featured,
    is_subscription,
    subscription_period,
    subscription_interval,
    free_trial_length,
    free_trial_period,
    limit_per_customer,
    left,
    clock_starts,
    limits,
    texts: packageText(full),
  }
}
