/**
 * A browser may refuse to store anything (private windows, full disks, policies). The session would end with the page, and the customer
 * would be back at the log-in form without a reason. So storage is tested before sign-in, and its absence is an error of its own.
 */
const PROBE = 'estudio:prueba'

/** Throws `auth/web-storage-unsupported` if no storage outlives the page. */
export async function mustPersistSession(): Promise<void> {
  if (inLocalStorage() || (await inDatabase())) return
  throw { code: 'auth/web-storage-unsupported', message: '' }
}

function inLocalStorage(): boolean {
  try {
    localStorage.setItem(PROBE, '1')
    localStorage.removeItem(PROBE)
    return true
  } catch {
    return false
  }
}

function inDatabase(): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(PROBE, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(PROBE)
      request.onerror = () => resolve(false)
      request.onsuccess = () => {
        const database = request.result
        const end = (isStored: boolean): void => {
          database.close()
          resolve(isStored)
        }
        try {
          const writing = database.transaction(PROBE, 'readwrite')
          writing.objectStore(PROBE).put(1, 1)
          writing.oncomplete = () => end(true)
          writing.onabort = () => end(false)
        } catch {
          end(false)
        }
      }
    } catch {
      resolve(false)
    }
  })
}
