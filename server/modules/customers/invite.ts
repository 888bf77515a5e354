/** Inviting customers to create an account, and sending those who have one the link for a new password (docs/domain.md X18). */
import { refuse } from '#contract/errors.ts'
import { paths } from '#contract/paths.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages, type OutgoingMessage, oneByOne, type Relevance } from '#server/modules/messages/messages.ts'
import { type CustomerRow, customerById, findCustomer, RECOVERY_JOB } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'

function invitation(ctx: Ctx, customer_id: number): OutgoingMessage {
  const studio = ctx.settings.business_name
  return {
    event: 'account_invite',
    about: `account:${ctx.now.toISOString()}`,
    to: { customer_id },
    before: null,
    texts: (name) => ({
      title: `Crea tu cuenta en ${studio}`,
      lines: [
        'Con tu cuenta reservas desde el teléfono, ves tus clases y cambias tus datos.',
        'Regístrate con este mismo correo y ahí estará todo lo que ya tienes.',
      ],
      notes: [],
      action: { label: 'Crear mi cuenta', path: paths.signup },
      blanks: [name],
    }),
  }
}

/** Enqueues the invitation of a customer without an account who has an email, with its entry in the audit trail. */
export async function inviteCustomer(tx: Tx, ctx: Ctx, { customer_id, email }: Pick<CustomerRow, 'customer_id' | 'email'>): Promise<void> {
  await enqueueMessages(tx, ctx, [invitation(ctx, customer_id)])
  await ctx.audit(tx, { action: 'customer.invite', entity: 'customer', entity_id: customer_id, after: { email } })
}

/**
 * POST /admin/customers/{customer_id}/invite: the invitation or, for a customer with an account, the link for a new password. NOT_FOUND,
 * CUSTOMER_WITHOUT_EMAIL, TOO_MANY_REQUESTS.
 */
export async function invite(ctx: Ctx, input: { customer_id: number }): Promise<{ sent: 'invitation' | 'password' }> {
  const { customer_id } = input
  await ctx.throttle({ name: 'customer-invite', subject: String(customer_id), max: 3, seconds: 3_600 })
  return ctx.once('customers.invite', input, async (tx) => {
    const row = await customerById(tx, customer_id)
    if (row.email === null) throw refuse('CUSTOMER_WITHOUT_EMAIL')
    if (row.uid === null) {
      await inviteCustomer(tx, ctx, row)
      return { sent: 'invitation' as const }
    }
    await tx.send({ name: RECOVERY_JOB, data: { email: row.email } })
    await ctx.audit(tx, { action: 'customer.password_link', entity: 'customer', entity_id: customer_id, after: { email: row.email } })
    return { sent: 'password' as const }
  })
}

/** An invitation that waited is pointless once its person has an account. */
export const customerRelevance: Relevance = {
  account_invite: oneByOne(async (ctx, { customer_id }) => {
    const row = await findCustomer(ctx.db, customer_id)
    return row && row.uid === null ? null : 'they have an account'
  }),
}
