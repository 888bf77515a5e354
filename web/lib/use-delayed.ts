import { useEffect, useState } from 'react'

/** The text as it was when it last stayed the same for `pause` ms. */
export function useDelayed(text: string, pause: number): string {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setDelayed, pause, text)
    return () => clearTimeout(timer)
  }, [text, pause])
  return delayed
}
