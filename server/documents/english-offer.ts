// biome-ignore-all lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140.
/**
 * Offers English, once, to a visitor whose browser prefers it (G13). A script of the document and not of the build: only documents of a
 * studio that offers English have it, so no other page pays for it.
 */
import { LANGUAGE_COOKIE, type Language, offersEnglish } from '#contract/language.ts'
import type { Area } from '#contract/rendering.ts'
import type { Settings } from '#contract/settings.ts'

/**
 * Runs in the browser and uses nothing of this file. Waits for the page to be complete, and is fixed over it: nothing moves. Without
 * storage it would be offered on every page, so it is not offered.
 */
function offer(cookie: string) {
  const SHOWN = 'estudio:ingles-ofrecido'
  addEventListener('load', () => {
    try {
      if (!navigator.language.startsWith('en') || document.cookie.includes(`${cookie}=`)) return
      if (localStorage.getItem('estudio:sesion') || localStorage.getItem(SHOWN)) return
      localStorage.setItem(SHOWN, '1')
    } catch {
      return
    }
    const box = document.createElement('aside')
    box.lang = 'en'
    box.ariaLabel = 'Language'
    box.className = 'card'
    box.style.cssText =
      'position:fixed;z-index:15;left:12px;bottom:calc(12px + env(safe-area-inset-bottom));max-width:calc(100vw - 92px);padding:8px;display:flex;flex-wrap:wrap;gap:8px;box-shadow:0 8px 24px rgb(0 0 0/20%)'
    const button = (text: string, variant: string, act: () => void) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = `btn btn-${variant} btn-small`
      button.textContent = text
      button.onclick = act
      box.append(button)
    }
    button('Read this site in English', 'filled', () => {
      document.cookie = `${cookie}=en;path=/;max-age=31536000;samesite=lax`
      location.reload()
    })
    button('No, thanks', 'quiet', () => box.remove())
    addEventListener('beforeprint', () => box.remove())
    document.body.append(box)
  })
}

/** Runs in the browser: the change of language at the top of the sign-in pages, whose bundle has no byte left for it. */
function control(cookie: string, code: string, name: string) {
  addEventListener('load', () => {
    const button = document.createElement('button')
    button.type = 'button'
    button.lang = code
    button.className = 'link'
    button.textContent = name
    button.style.cssText = 'position:absolute;top:16px;right:16px;min-width:44px;min-height:44px'
    button.onclick = () => {
      document.cookie = `${cookie}=${code};path=/;max-age=31536000;samesite=lax`
      location.reload()
    }
    document.body.append(button)
  })
}

const call = (script: (...input: string[]) => void, ...input: string[]) =>
  `(${script.toString()})(${input.map((value) => JSON.stringify(value)).join()})`
const OFFER = call(offer, LANGUAGE_COOKIE)
const TO_ENGLISH = call(control, LANGUAGE_COOKIE, 'en', 'English')
const TO_SPANISH = call(control, LANGUAGE_COOKIE, 'es-MX', 'Español')

/** The layout of sign-in pages, which invitations and gift cards have too although they lie in the area of the site. */
const LIKE_SIGN_IN = '<div class="access">'

/**
 * Inserts the offer into a Spanish page for visitors and the change of language into a sign-in page, marked like the renderer's
 * own scripts.
 */
export function insertEnglishOffer(
  html: string,
  { area, language, settings, mark }: { area: Area; language: Language; settings: Settings; mark: string },
): string {
  const at = html.lastIndexOf('</body>')
  if (at < 0 || !offersEnglish(settings) || (area !== 'site' && area !== 'access')) return html
  const hasControl = area === 'access' || html.includes(LIKE_SIGN_IN)
  const scripts = [...(hasControl ? [language === 'en' ? TO_SPANISH : TO_ENGLISH] : []), ...(language === 'en' ? [] : [OFFER])]
  return html.slice(0, at) + scripts.map((script) => `<script nonce="${mark}">${script}</script>`).join('') + html.slice(at)
}
