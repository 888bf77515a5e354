/** Whether an error means that an uploaded body is not multipart/form-data or was cut off: the client's fault. */
export function isBrokenUpload(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = 'statusCode' in error ? error.statusCode : null
  const broken =
    /^(Unexpected end of|Multipart: |Malformed part|Part terminated)/i.test(error.message) || error.message === 'Premature close'
  return broken || (typeof status === 'number' && status >= 400 && status < 500 && 'code' in error)
}
