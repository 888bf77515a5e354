/** How long the main thread blocks everything else, measured by its own CPU time: a busy machine changes nothing. */

/** How long sanitising, or a picture, may block other requests, in ms. */
export const MAX_BLOCKED_MS = 50

/** The longest time that the main thread computes without a pause until `work` is done, in ms of its CPU. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let [done, longest, since] = [false, 0, spent()]
  const working = work().finally(() => {
    done = true
  })
  while (!done) {
    await new Promise((resume) => setTimeout(resume, 1))
    const now = spent()
    longest = Math.max(longest, now - since)
    since = now
  }
  await working
  return longest
}
