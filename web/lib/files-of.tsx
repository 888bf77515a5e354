import { use } from 'react'
import { UNSAFE_FrameworkContext } from 'react-router'

/**
 * The files of another page, for a page that shows it under an address of its own: the document names its styles, and its scripts
 * arrive together with the rest instead of after them.
 */
export function FilesOf({ route }: { route: string }) {
  const framework = use(UNSAFE_FrameworkContext)
  const files = framework?.manifest.routes[route]
  if (!files) return null
  return (
    <>
      {[files.module, ...(files.imports ?? [])].map((file) => (
        <link key={file} rel="modulepreload" href={file} nonce={framework.nonce} />
      ))}
      {/* Without the mark that the router sets: whoever loads the scripts looks whether their styles are there. */}
      {files.css?.map((file) => (
        <link key={file} rel="stylesheet" href={file.replace('#', '')} />
      ))}
    </>
  )
}
