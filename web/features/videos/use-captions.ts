import { useEffect, useState } from 'react'

/** An object URL of captions, which are a text of the answer; null without any. */
export function useCaptions(text: string | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!text) return setUrl(null)
    const url = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))
    setUrl(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return url
}
