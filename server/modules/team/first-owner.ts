/** The first owner of a studio: named by the environment, or created by the link that the program prints (E17). */
import { adminPaths } from '#contract/admin-paths.ts'
import { refuse } from '#contract/errors.ts'
import { messagePaths, paths } from '#contract/paths.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { addStaff, findPrincipals, isOwned, lockOwnership } from '#server/modules/people/people.ts'

const LINK_USE = 'primera-persona'
const LINK_MS = 24 * 3_600_000
/** Validity of the link to choose a password after the studio was claimed, in ms. */
const PASSWORD_MS = 3_600_000
/** The page that opens after the owner chose the password. */
const ONBOARDING_PATH = adminPaths.onboarding

/** The link that claims a studio without an owner. Null: it has one, or its accounts are at Google. */
export async function claimLink(ctx: Ctx): Promise<string | null> {
  if (!ctx.ports.identity.createsAccounts() || (await isOwned(ctx.db))) return null
  const token = ctx.studio.signer.sign(LINK_USE, String(ctx.now.getTime() + LINK_MS))
  return `${ctx.studio.publicUrl}${messagePaths.firstOwner(token)}`
}

/**
 * Creates the account of the first owner, without a password. Null when the address already has an account with access to the studio (P6),
 * or when another owner was created meanwhile.
 */
export async function createFirstOwner(ctx: Ctx, { email, name }: { email: string; name: string }): Promise<{ uid: string } | null> {
  let account = await ctx.ports.identity.createAccount({ email })
  if (!account.created) {
    const owns = await findPrincipals(ctx.db, account.uid)
    // The person who registered it may know its password, so the account is deleted, unless it belongs to a customer or staff member.
    const removed = !owns.customer && !owns.staff && (await ctx.ports.identity.removeAccount(account.uid))
    if (!removed) return null
    account = await ctx.ports.identity.createAccount({ email })
  }
  const { uid } = account
  const isMade = await ctx.tx(async (tx) => {
    await lockOwnership(tx)
    if (await isOwned(tx)) return false
    await addStaff(ctx, tx, { uid, name, email, role: 'owner' })
    return true
  })
  if (isMade) return { uid }
  await ctx.ports.identity.removeAccount(uid)
  return null
}

/** POST /first_owner. INVITE_EXPIRED, STUDIO_OWNED, ALREADY_EXISTS. */
export async function claimStudio(
  ctx: Ctx,
  { token, name, email }: { token: string; name: string; email: string },
): Promise<{ url: string }> {
  const until = Number(ctx.studio.signer.read(LINK_USE, token) ?? 0)
  if (!(until > ctx.now.getTime())) throw refuse('INVITE_EXPIRED')
  if (await isOwned(ctx.db)) throw refuse('STUDIO_OWNED')
  const firstOwner = await createFirstOwner(ctx, { email: email.toLowerCase(), name })
  if (!firstOwner) throw (await isOwned(ctx.db)) ? refuse('STUDIO_OWNED') : refuse('ALREADY_EXISTS')
  const url = await ctx.ports.identity.passwordLink(firstOwner.uid, PASSWORD_MS, paths.loginThen(ONBOARDING_PATH))
  if (!url) throw new Error('an account that was just created has a link')
  return { url }
}
