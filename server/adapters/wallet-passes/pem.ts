/** Normalises pasted PEM texts: removes what tools wrote around them, and restores line breaks that a field or a variable lost. */

/** The first block with one of these labels, with its line breaks; null: there is none. */
export function parsePem(text: string, labels: readonly string[]): string | null {
  for (const [, label = '', body = ''] of text.replaceAll('\\n', '\n').matchAll(/-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/g)) {
    if (!labels.includes(label)) continue
    // The older form of a key with a password has headers, which make its body no base64.
    const isEncrypted = body.includes('ENCRYPTED')
    const lines = body.replace(/\s/g, '').match(/.{1,64}/g) ?? []
    const name = isEncrypted ? 'ENCRYPTED PRIVATE KEY' : label
    return `-----BEGIN ${name}-----\n${lines.join('\n')}\n-----END ${name}-----\n`
  }
  return null
}
