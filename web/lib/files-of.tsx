import { use } from 'react'
import { UNSAFE_FrameworkContext } from 'react-router'

/**
 * Links the files of another route's page, for a page that renders that page under an address of its own: its stylesheets are in the
 * document, and its scripts are preloaded with the page's own instead of after them.
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
      {/* Without the `#` mark of the router: the code that loads the scripts checks by address whether their styles are there. */}
      {files.css?.map((file) => (
        <link key={file} rel="stylesheet" href={file.replace('#', '')} />
      ))}
    </>
  )
}
