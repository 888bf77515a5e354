/**
 * The language of a signed-in customer, on every device (G13). A change in this browser applies to all devices: the cookie is compared with
 * its value when this browser and the customer's record last agreed. On a device that has not agreed yet, the stored choice
 * applies; without one, English that was chosen before the sign-in is stored.
 */
import { LANGUAGE_COOKIE, type Language } from '#contract/language.ts'
import type { Customer } from '#contract/people.ts'
import { api, browserQueries, queries } from '#web/lib/api.ts'
import { pageLanguage } from '#web/lib/language.ts'

/** Not the contract's list, which would then be in the chunk of every page. */
const LANGUAGES: readonly Language[] = ['es-MX', 'en']

/** The customer and language on which this browser last agreed, in localStorage; ignored for another customer. */
const AGREED = 'estudio:idioma'

const chosenHere = (): Language | undefined =>
  LANGUAGES.find((language) => document.cookie.split('; ').includes(`${LANGUAGE_COOKIE}=${language}`))

/** What to do when a customer arrives on a page; pure. `agreed`: the language of the last agreement of this customer and this browser. */
export function languageStep({
  stored,
  chosen,
  agreed,
  page,
}: {
  stored: Language | null
  chosen: Language | undefined
  agreed: Language | null
  page: Language
}): { store: Language } | { show: Language } | null {
  const isNewHere = chosen !== undefined && chosen === page && agreed !== null && chosen !== agreed
  const isFirst = stored === null && page !== 'es-MX'
  if (isNewHere || isFirst) return page === stored ? null : { store: page }
  // A page that does not exist in the chosen language would be reloaded for ever.
  return stored !== null && stored !== page && chosen !== stored ? { show: stored } : null
}

function show(language: Language) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140.
  document.cookie = `${LANGUAGE_COOKIE}=${language};path=/;max-age=31536000;samesite=lax`
  if (chosenHere() === language) location.reload()
}

let followed = false

/** Once per page load, so that a change on another device never reloads a page that is being used. */
export async function followLanguage({ customer_id, language: stored }: Customer): Promise<void> {
  if (followed) return
  followed = true
  try {
    const [of, last] = localStorage.getItem(AGREED)?.split(' ') ?? []
    const agreed = (of === String(customer_id) && LANGUAGES.find((language) => language === last)) || null
    const step = languageStep({ stored, chosen: chosenHere(), agreed, page: pageLanguage })
    if (step && 'store' in step)
      browserQueries().setQueryData(queries.people.me.queryKey(), await api.people.update({ language: step.store }))
    localStorage.setItem(AGREED, `${customer_id} ${step && 'show' in step ? step.show : pageLanguage}`)
    if (step && 'show' in step) show(step.show)
  } catch {
    // Not stored, or no storage: tried again on the next page.
  }
}
