/** An email address that a narrow column breaks before its '@', not within a word. */
export function EmailText({ address }: { address: string | null }) {
  if (!address) return null
  const at = address.lastIndexOf('@')
  if (at < 1) return address
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}
