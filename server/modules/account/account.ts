/** Operations that need every module: "me", sign-up, the profile, the customer for staff. Has no tables of its own. */
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import type { Customer, CustomerChange, Signup } from '#contract/people.ts'
import { renewFeed, seatsByRoom } from '#server/modules/bookings/bookings.ts'
import {
  acceptAtSignup,
  acceptedPages,
  claimFiles,
  dropFile,
  filesById,
  pages as listedPages,
  lockOwnFile,
  profileLacks,
  serializeFile,
  storeAnswers,
} from '#server/modules/content/content.ts'
import { serializeCreditLot, summarise, usableCreditLots } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  becomeCustomer,
  type CustomerRow,
  changeCustomer,
  customerById,
  endOtherSessions,
  findLastAddress,
  findPrincipals,
  followEmail,
  getRole,
  removesAccount,
  requireCustomer,
  saveAddress,
  slowPhoneChanges,
} from '#server/modules/people/people.ts'
import { seatLabelsOf, seatsOfRow } from '#server/modules/schedule/schedule.ts'
import {
  changeSettings,
  editedSettings,
  readSettings,
  requireRecentSignInFor,
  requireSettingRights,
} from '#server/modules/settings/settings.ts'
import type { Tx } from '#server/platform/db.ts'
import { listFileUses, listLatestInvoices, listMilestones, listMissing, listPurchaseFacts, listUpcomingReservations } from './store.ts'

/** The signed-in customer with all that the client needs (S1-3.23; spec 2 section 3). */
export async function readOwnAccount(ctx: Ctx): Promise<{ customer: Customer }> {
  const { customer_id } = ctx.customer
  await followEmail(ctx)
  return { customer: await wholeCustomer(ctx, customer_id) }
}

/**
 * Creates the customer of a new identity account, with its accepted documents, files and answers to the sign-up form, in one transaction.
 * Idempotent. FORBIDDEN (another account's uid), ACCOUNT_EXISTS, EMAIL_NOT_VERIFIED, PHONE_IN_USE, DOCUMENTS_REQUIRED, FORM_FIELD,
 * FORM_FIELDS. On failure the identity account is deleted, so that no account without a customer remains (P2 to P4, S1-4.37, S1-5.11,
 * S1-8.05, S1-8.06).
 */
export async function signUp(ctx: Ctx, input: Signup): Promise<{ customer: Customer }> {
  const { actor } = ctx
  if (actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
  ctx.requireOwnDevice()
  if (input.uid !== actor.uid) throw refuse('FORBIDDEN')
  await ctx.throttle({ name: 'signup', subject: actor.uid, max: 20, seconds: 3_600 })
  const account = { uid: actor.uid, email: actor.email.toLowerCase(), emailVerified: actor.emailVerified }
  const form_id = ctx.settings.signup_form_id
  const customer_id = await ctx
    .tx(async (tx) => {
      const customer = await becomeCustomer(ctx, tx, account, input)
      if (customer.current) return customer.customer_id
      await acceptAtSignup(tx, customer.customer_id, input.accepted_pages, ctx.now)
      await changeCustomer(ctx, tx, customer.customer_id, {}, await profileFiles(ctx, tx, customer.customer_id, input.file))
      if (form_id !== null) await storeAnswers(ctx, tx, { form_id, customer_id: customer.customer_id, answers: input.form_answers ?? {} })
      return customer.customer_id
    })
    .catch((failure: unknown) => afterFailure(ctx, account.uid, failure))
  return { customer: await wholeCustomer(ctx, customer_id) }
}

/**
 * Cleans up after a failed sign-up. When a duplicate of the request was faster, its customer is returned; otherwise the failure is
 * rethrown.
 */
async function afterFailure(ctx: Ctx, uid: string, failure: unknown): Promise<number> {
  // The account is deleted only when it is known to own nothing.
  const owns = await findPrincipals(ctx.db, uid).catch(() => null)
  if (owns?.customer) return owns.customer.customer_id
  if (owns && removesAccount(failure, owns))
    await ctx.ports.identity
      .removeAccount(uid)
      .catch((error: unknown) => ctx.studio.log.error({ error, uid }, 'signup.account_cleanup_failed'))
  throw failure
}

/** One customer, for staff. NOT_FOUND. */
export async function findCustomer(ctx: Ctx, input: { customer_id: number }): Promise<{ customer: Customer }> {
  return { customer: await wholeCustomer(ctx, input.customer_id) }
}

/**
 * Changes a profile: the customer's own, or a customer's by staff (P7 to P10). Columns, files, address and answers in one transaction.
 * NO_CUSTOMER, NOT_FOUND, PHONE_IN_USE, ACCOUNT_EXISTS, FORM_FIELD, FORM_FIELDS, INVALID_INPUT.
 */
export async function updateCustomer(ctx: Ctx, input: CustomerChange): Promise<{ customer: Customer }> {
  const form_id = ctx.settings.profile_form_id
  await slowPhoneChanges(ctx, input.phone)
  const customer_id = await ctx.tx(async (tx) => {
    const before = await requireCustomer(ctx, tx, input.customer_id, 'customers.edit')
    const { customer_id } = before
    const files = await profileFiles(ctx, tx, customer_id, input.file)
    await changeCustomer(ctx, tx, customer_id, input, files)
    await dropReplaced(ctx, tx, before, files)
    if (input.address) {
      const isSet = await findLastAddress(tx, customer_id)
      await saveAddress(ctx, tx, customer_id, { ...input.address, Address_id: isSet?.Address_id ?? null })
    }
    if (input.form_answers && form_id !== null) await storeAnswers(ctx, tx, { form_id, customer_id, answers: input.form_answers })
    return customer_id
  })
  return { customer: await wholeCustomer(ctx, customer_id) }
}

interface ProfileFiles {
  photo_file_id?: number | null
  id_file_id?: number | null
}

/** Assigns the files of a profile to the customer: a photo must be an image, an identity document an image or a PDF (U2). */
async function profileFiles(ctx: Ctx, tx: Tx, customer_id: number, files: CustomerChange['file']): Promise<ProfileFiles> {
  const { photo, idAdjunto } = files ?? {}
  const rows = await claimFiles(
    ctx,
    tx,
    [photo, idAdjunto].flatMap((file) => (file ? [file.file_id] : [])),
    customer_id,
  )
  for (const row of rows) {
    const path = row.file_id === photo?.file_id ? 'file.photo' : 'file.idAdjunto'
    if (row.kind === 'video' || (row.kind === 'document' && path === 'file.photo'))
      throw refuse('INVALID_INPUT', { issues: [{ path, message: 'Ese tipo de archivo no se acepta.' }] })
  }
  return {
    ...(photo === undefined ? {} : { photo_file_id: photo?.file_id ?? null }),
    ...(idAdjunto === undefined ? {} : { id_file_id: idAdjunto?.file_id ?? null }),
  }
}

/** Deletes a replaced photo or document, unless something else references it. */
async function dropReplaced(ctx: Ctx, tx: Tx, before: CustomerRow, now: ProfileFiles): Promise<void> {
  const replaced = (['photo_file_id', 'id_file_id'] as const).flatMap((which) => {
    const was = before[which]
    return was !== null && now[which] !== undefined && now[which] !== was ? [was] : []
  })
  for (const row of await filesById(tx, replaced)) if ((await listFileUses(tx, row)).length === 0) await dropFile(ctx, tx, row)
}

/**
 * Ends all other sessions of the caller, and renews the secret calendar URL, which those sessions could read (P16, R20). A token without a
 * session id ends none.
 */
export async function signOutElsewhere(ctx: Ctx): Promise<{ ended: number }> {
  const answer = await endOtherSessions(ctx)
  if (ctx.customerOrNull) await renewFeed(ctx)
  return answer
}

/**
 * Deletes a file of the caller, or any for staff with `customers.edit`. NOT_FOUND; IN_USE with counts while a profile, an answer or the
 * site uses it (U6).
 */
export async function removeFile(ctx: Ctx, input: { file_id: number }): Promise<{ ok: true }> {
  await ctx.tx(async (tx) => {
    const row = await lockOwnFile(ctx, tx, input.file_id)
    const uses = await listFileUses(tx, row)
    if (uses.length > 0) throw refuse('IN_USE', { uses })
    await dropFile(ctx, tx, row)
  })
  return { ok: true }
}

async function wholeCustomer(ctx: Ctx, customer_id: number): Promise<Customer> {
  const row = await customerById(ctx.db, customer_id)
  // Staff read reservations, purchases and charges of the locations where they work (E4, E14); customers read all of their own.
  const locations = ctx.customerOrNull?.customer_id === customer_id ? null : ctx.locationIds
  const [role, creditLots, accepted_pages, purchases, class_reservations, invoices, milestones, files, address, missing, rooms] =
    await Promise.all([
      getRole(ctx.db, row.uid),
      usableCreditLots(ctx, ctx.db, customer_id),
      acceptedPages(ctx.db, customer_id),
      listPurchaseFacts(ctx.db, customer_id, locations),
      listUpcomingReservations(ctx.db, customer_id, ctx.now, locations),
      listLatestInvoices(ctx.db, customer_id, locations),
      listMilestones(ctx.db, customer_id),
      filesById(
        ctx.db,
        [row.photo_file_id, row.id_file_id].filter((id) => id !== null),
      ),
      findLastAddress(ctx.db, customer_id),
      profileLacks(ctx, ctx.db, row),
      seatsByRoom(ctx),
    ])
  const credits = summarise(creditLots, ctx.zone)
  const available_classes = creditLots.map((creditLot) => serializeCreditLot(creditLot, ctx.zone))
  const shown = async (file_id: number | null) => {
    const found = files.find((file) => file.file_id === file_id)
    return found ? serializeFile(ctx, found) : null
  }
  return {
    customer_id,
    uid: row.uid ?? '',
    name: row.name,
    last_name: row.last_name,
    email: row.email,
    phone: row.phone,
    birthdate: row.birthdate,
    instagram: row.instagram,
    signup_reason: row.signup_reason,
    signup_reason_other: row.signup_reason_other,
    language: row.language,
    file: { photo: await shown(row.photo_file_id), idAdjunto: await shown(row.id_file_id) },
    address,
    missing,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    has_unlimited: credits.has_unlimited,
    unlimited_membership_expiration: credits.unlimited_membership_expiration,
    unlimited_max_no_shows_for_penalty: ctx.settings.unlimited_max_no_shows_for_penalty,
    accepted_pages,
    purchases,
    online_accesses: available_classes.filter((creditLot) => creditLot.is_online),
    available_classes,
    class_reservations: class_reservations.map(({ room_id, spot_map, ...reservation }) => ({
      ...reservation,
      ...seatLabelsOf(seatsOfRow(rooms, { room_id, spot_map }), reservation),
      starts_at: reservation.starts_at.toISOString(),
    })),
    invoices: invoices.map(({ total_centavos, createdAt, ...charge }) => ({
      ...charge,
      total_payment: pesos(total_centavos),
      createdAt: createdAt.toISOString(),
    })),
    customer_milestone: milestones.map(({ classes, reached_at }) => ({ classes, reached_at: reached_at.toISOString() })),
    role,
  }
}

/**
 * Changes settings (G1), all of the given ones or none, each with an audit row. INVALID_INPUT names the keys: unknown keys, invalid values,
 * unknown forms or packages, and a packages path that collides with a page. FORBIDDEN: custom code and the identity configuration, with
 * which one could act as any user, need a right of their own (E3), the latter and the second factor of the staff a recent sign-in
 * (RECENT_SIGN_IN_REQUIRED). CHANGED_MEANWHILE: one of them was changed since `if_value`.
 */
export async function saveSettings(ctx: Ctx, input: { settings: readonly { key: string; value?: unknown; if_value?: unknown }[] }) {
  const changes = readSettings(input.settings)
  requireSettingRights(ctx, changes)
  requireRecentSignInFor(ctx, changes)
  const read = Object.fromEntries(input.settings.flatMap(({ key, if_value }) => (if_value === undefined ? [] : [[key, if_value]])))
  const isSet = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
  const { signup_form_id, profile_form_id, signup_fee, class_packages_path } = changes
  const [missing, { pages }] = await Promise.all([
    listMissing(ctx.db, { forms: [signup_form_id, profile_form_id].filter(isSet), packages: [signup_fee].filter(isSet) }),
    listedPages(ctx),
  ])
  const issues = [
    ...(['signup_form_id', 'profile_form_id'] as const)
      .filter((key) => missing.forms.includes(changes[key] ?? 0))
      .map((path) => ({ path, message: 'Ese formulario no existe.' })),
    ...missing.packages.map(() => ({ path: 'signup_fee', message: 'Ese paquete no existe.' })),
    ...pages
      .filter(({ slug }) => `/${slug}` === class_packages_path)
      .map(({ title }) => ({ path: 'class_packages_path', message: `Esa dirección ya es de la página "${title}".` })),
  ]
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
  const changed = await changeSettings(ctx, changes, read)
  await ctx.studio.refreshSettings()
  return { settings: await editedSettings(ctx, changed) }
}
