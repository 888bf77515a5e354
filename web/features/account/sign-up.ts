/** Sign-up in two steps: an account at the identity service, then the customer. */
import { toFailure } from '#web/lib/errors.ts'
import type { Values } from '#web/lib/form.ts'
import type { Identity, IdentityUser } from '#web/lib/identity.ts'
import { endSession, openSession } from '#web/lib/session.ts'
import type { Site } from '#web/lib/settings.tsx'
import type { SignupQuestions } from './signup-questions.tsx'
import { reasonsIn } from './signup-reason.tsx'

interface Signup {
  /** of the form's fields */
  values: Values
  /** the existing account, if the visitor came through Google */
  google: IdentityUser | null
  questions: SignupQuestions
  accepted_pages: number[]
}

/** Throws errors for the form to show. A refused visitor is signed out, unless they are a customer already (S1-4.37). */
export async function signUp(firebaseConfig: Site['firebaseConfig'], { values, google, questions, accepted_pages }: Signup): Promise<void> {
  if (questions.waiting) throw new TypeError('the questions of the studio did not come')
  const [{ api }, identity] = await Promise.all([import('#web/lib/api.ts'), openSession(firebaseConfig)])
  const email = (values.email ?? '').trim()
  await identity.mustLast()
  // Only the server decides whose telephone it is: a record that reception made for this person is theirs (P3).
  const user = google ?? (await account(identity, email, values.password ?? '', api))
  try {
    await api.people.signup({
      uid: user.uid,
      name: values.name ?? '',
      last_name: values.last_name ?? '',
      phone: values.phone ?? '',
      ...reasonsIn(values),
      ...(await questions.send()),
      accepted_pages,
    })
  } catch (error) {
    const { code } = toFailure(error)
    // Reception registered this address before: the visitor may claim that customer after confirming the email.
    if (code === 'EMAIL_NOT_VERIFIED') await identity.sendEmailVerification()
    // The server has already deleted the new account where it must not remain.
    if (code !== 'ACCOUNT_EXISTS') await endSession({ visitorsToo: false })
    throw questions.placed(error)
  }
}

/**
 * Creates an account; or uses the one that an interrupted sign-up left without a customer, if the password proves that it is the same
 * person.
 */
async function account(identity: Identity, email: string, password: string, api: typeof import('#web/lib/api.ts')['api']) {
  try {
    return await identity.signUp(email, password)
  } catch (error) {
    if (toFailure(error).code !== 'auth/email-already-in-use') throw error
    const user = await identity.signIn(email, password).catch(() => null)
    if (!user) throw error
    const whole = await api.people.me().then(
      () => true,
      (failed) => toFailure(failed).code !== 'NO_CUSTOMER',
    )
    if (!whole) return user
    await endSession({ visitorsToo: false })
    throw error
  }
}
