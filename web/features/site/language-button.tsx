import { LANGUAGE_COOKIE, offersEnglish } from '#contract/language.ts'
import { useSite } from '#web/lib/settings.tsx'

/** The other language, named in itself for those who do not read this one. */
const OTHER = { code: 'en', name: 'English' }

function choose() {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox before 140.
  document.cookie = `${LANGUAGE_COOKIE}=${OTHER.code};path=/;max-age=31536000;samesite=lax`
  location.reload()
}

/** Changes the language of the interface in this browser; nothing where the studio offers one only. */
export function LanguageButton({ className }: { className: string }) {
  if (!offersEnglish(useSite())) return null
  return (
    <button type="button" className={className} lang={OTHER.code} onClick={choose}>
      {OTHER.name}
    </button>
  )
}
