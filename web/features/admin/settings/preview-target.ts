/** Which setting a part of a previewed page comes from: by its text, its picture, its link, or the section that it is in. Pure. */
import type { EditedSetting } from '#contract/content.ts'
import { foldText } from '#contract/text.ts'

/** An element of the page, with the attributes that identify its setting. */
export interface SeenElement {
  tag: string
  id: string
  classes: readonly string[]
  /** Its whole text. */
  text: string
  /** The address of its picture or video; '' = none. */
  picture: string
  href: string
}

type Setting = Pick<EditedSetting, 'key' | 'type'>

/** Parts that a setting switches or colours, by their mark in the page. */
const MARKS: readonly { key: string; is: (seen: SeenElement) => boolean }[] = [
  { key: 'banner_text', is: ({ classes }) => classes.includes('banner') },
  { key: 'whatsapp_widget', is: ({ classes }) => classes.some((cls) => cls.startsWith('whatsapp')) },
  { key: 'navbar_logo', is: ({ tag, classes }) => classes.includes('brand') && tag !== 'DIV' },
  { key: 'primary', is: ({ classes }) => classes.includes('btn-filled') },
  { key: 'hero_title', is: ({ classes }) => classes.includes('hero') },
  { key: 'about_title', is: ({ id }) => id === 'nosotros' },
  { key: 'mission_title', is: ({ id }) => id === 'mision' },
  { key: 'class_types_enabled', is: ({ id }) => id === 'clases' },
  { key: 'coaches_enabled', is: ({ id }) => id === 'coaches' },
  { key: 'packages_enabled', is: ({ id }) => id === 'paquetes' },
  { key: 'landing_announcements_enabled', is: ({ id }) => id === 'avisos' },
  { key: 'schedule_enabled', is: ({ id }) => id === 'horarios' },
  { key: 'business_name', is: ({ tag }) => tag === 'HEADER' || tag === 'FOOTER' },
]

/** Minimum number of characters by which a part of a longer text is recognised. */
const PART = 16

/** Without tags, accents and spaces, which differ between a stored text and a page. */
const plain = (text: string): string => foldText(text.replace(/<[^>]*>/g, '')).replace(/\s+/g, '')
/** The name of a file: pictures are served at other addresses than they are stored at. */
const fileOf = (address: string): string => decodeURIComponent(/([^/?#]+)(?:[?#].*)?$/.exec(address)?.[1] ?? '')

function isShownBy(seen: SeenElement, { type }: Setting, value: string): boolean {
  if (value.trim() === '') return false
  if (seen.picture !== '' && (type === 'image' || /\.(?:mp4|webm)$/i.test(value))) return fileOf(seen.picture) === fileOf(value)
  if (type === 'link' || type === 'phone') return seen.href !== '' && seen.href.includes(value.replace(/^[@+]/, ''))
  if (type !== 'text' && type !== 'long' && type !== 'html') return false
  const [text, own] = [plain(seen.text), plain(value)]
  if (own.length < 2) return false
  if (text === own || (text.length >= PART && own.includes(text))) return true
  return seen.href.startsWith('mailto:') && seen.href.includes(value)
}

/**
 * The key of the setting that the innermost of these elements comes from; null: of none. `path`: the element and its ancestors, from the
 * inside out. Text, picture and link identify it more exactly than the section.
 */
export function settingAt(
  path: readonly SeenElement[],
  settings: readonly Setting[],
  values: Readonly<Record<string, unknown>>,
): string | null {
  for (const seen of path) {
    const found = settings.find((setting) =>
      isShownBy(seen, setting, typeof values[setting.key] === 'string' ? String(values[setting.key]) : ''),
    )
    if (found) return found.key
    const mark = MARKS.find(({ key, is }) => is(seen) && settings.some((setting) => setting.key === key))
    if (mark) return mark.key
  }
  return null
}

/** How an element of the preview is seen. */
export function describeElement(element: Element): SeenElement {
  const attribute = (name: string) => element.getAttribute(name) ?? ''
  return {
    tag: element.tagName,
    id: element.id,
    classes: [...element.classList],
    text: element.textContent ?? '',
    picture: /^(?:IMG|VIDEO|SOURCE)$/.test(element.tagName) ? attribute('src') || attribute('srcset').split(' ')[0] || '' : '',
    href: attribute('href'),
  }
}

/** The element and its ancestors, from the inside out. */
export function elementPath(element: Element): SeenElement[] {
  const path: SeenElement[] = []
  for (let at: Element | null = element; at && at.tagName !== 'BODY' && at.tagName !== 'HTML'; at = at.parentElement)
    path.push(describeElement(at))
  return path
}

/** Elements of a page that are compared. */
const MOST = 3_000

/** The keys of the settings that a page shows, in its order. */
export function settingsOn(document: Document, settings: readonly Setting[], values: Readonly<Record<string, unknown>>): string[] {
  const leaves = [...document.body.querySelectorAll('*')].slice(0, MOST).filter((element) => (element.textContent ?? '').length < 600)
  return [...new Set(leaves.flatMap((leave) => settingAt([describeElement(leave)], settings, values) ?? []))]
}
