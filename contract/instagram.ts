/** The handle of an Instagram account, from "@handle", "handle" or its URL. */
export const instagramHandle = (written: string): string =>
  written
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.)?instagram\.com\//i, '')
    .replace(/^@|[/?].*$/g, '')

/** Whether a text names an account of Instagram: "@vaiven", "vaiven" or its address. */
export const isInstagram = (text: string): boolean => text === '' || /^[\w.]{1,30}$/.test(instagramHandle(text))
