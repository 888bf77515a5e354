/**
 * A part of a page in a chunk of its own, loaded when it is first shown, or earlier (`preload`). React's `lazy` would keep a failed load
 * for the life of the document; this one is tried again when the part is shown anew. Dialogs that may bring the code of dialogs along:
 * on-demand.tsx.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** `load`: imports the chunk, whose default export is the part. `failed`, `loading`: rendered instead of it. */
export function onDemandPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  failed: ReactNode,
  loading: ReactNode = null,
) {
  let loaded: ComponentType<Props> | undefined
  const preload = async () => {
    loaded = (await load()).default
  }
  function OnDemandPart(props: Props): ReactNode {
    const [hasFailed, setFailed] = useState<boolean | null>(null)
    useEffect(() => {
      preload().then(
        () => setFailed(false),
        () => setFailed(true),
      )
    }, [])
    const Part = loaded
    return Part ? <Part {...props} /> : hasFailed ? failed : loading
  }
  OnDemandPart.preload = preload
  return OnDemandPart
}
