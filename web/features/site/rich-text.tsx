import './rich-text.css'

/** HTML that an administrator wrote; the API has sanitised it, on writing and on reading. */
export function RichText({ html, className = '' }: { html: string; className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the only place where content is HTML
  return <div className={`rich-text ${className}`} dangerouslySetInnerHTML={{ __html: html }} />
}
