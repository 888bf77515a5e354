/** The second factor of staff through the SDK (docs/domain.md P17); part of identity-firebase.ts, separate because of its length. */
import {
  type Auth,
  EmailAuthProvider,
  getMultiFactorResolver,
  type MultiFactorError,
  type MultiFactorResolver,
  multiFactor,
  reauthenticateWithCredential,
  TotpMultiFactorGenerator,
  type TotpSecret,
  type User,
  type UserCredential,
} from 'firebase/auth'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import type { SecondFactor } from './identity.ts'

const CODE_REQUIRED = 'auth/multi-factor-auth-required'

/** Sentences for codes of the second factor. Not with the other codes of the service in errors.ts, which every public page loads. */
const MESSAGES: Readonly<Record<string, string>> = {
  'auth/invalid-verification-code': 'Ese código no es correcto o ya se usó. Espera a que tu app muestre otro.',
  'auth/invalid-multi-factor-session': 'Pasó demasiado tiempo. Escribe otra vez tu contraseña.',
  'auth/invalid-verification-id': 'Pasó demasiado tiempo. Empieza de nuevo.',
  'auth/second-factor-already-in-use': 'Tu cuenta ya tiene la verificación en dos pasos.',
  'auth/multi-factor-info-not-found': 'Tu cuenta ya no tiene esa verificación. Empieza de nuevo.',
}

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? ''

async function withMessage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const message = MESSAGES[codeOf(error)]
    throw message ? { code: codeOf(error), message } : error
  }
}

interface Challenges {
  /** Passes the result of a sign-in on. One that needs a code still fails, and is stored for `answer`. */
  watch<T>(work: Promise<T>): Promise<T>
  answer(code: string): Promise<UserCredential>
}

/** Stores the sign-in of this page that waits for a code: at most one. */
export function createChallenges(auth: Auth): Challenges {
  let waiting: MultiFactorResolver | null = null
  return {
    async watch(work) {
      try {
        return await work
      } catch (error) {
        waiting = codeOf(error) === CODE_REQUIRED ? getMultiFactorResolver(auth, error as MultiFactorError) : null
        throw error
      }
    },
    async answer(code) {
      const [hint] = waiting?.hints ?? []
      if (!waiting || !hint) throw { code: 'auth/invalid-multi-factor-session', message: MESSAGES['auth/invalid-multi-factor-session'] }
      return withMessage(waiting.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(hint.uid, code.trim())))
    },
  }
}

/** `google`: the accounts are Google's, which has no recovery codes. */
export function createSecondFactor(auth: Auth, challenges: Challenges, google: boolean): SecondFactor {
  let secret: TotpSecret | null = null
  function user(): User {
    if (!auth.currentUser) throw { code: 'auth/user-token-expired', message: '' }
    return auth.currentUser
  }
  return {
    async since() {
      await auth.authStateReady()
      await user().reload()
      return multiFactor(user()).enrolledFactors[0]?.enrollmentTime ?? null
    },
    async prove(password) {
      const credential = EmailAuthProvider.credential(user().email ?? '', password)
      await challenges.watch(reauthenticateWithCredential(user(), credential))
    },
    async answer(code) {
      await challenges.answer(code)
    },
    async start(studio) {
      const newSecret = await withMessage(multiFactor(user()).getSession().then(TotpMultiFactorGenerator.generateSecret))
      secret = newSecret
      return {
        key: newSecret.secretKey,
        uri: newSecret.generateQrCodeUrl(encodeURIComponent(user().email ?? ''), encodeURIComponent(studio)),
      }
    },
    async finish(code) {
      if (!secret) throw { code: 'auth/invalid-verification-id', message: MESSAGES['auth/invalid-verification-id'] }
      await withMessage(multiFactor(user()).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code.replace(/\s/g, ''))))
      secret = null
    },
    async newRecoveryCodes() {
      if (google) return []
      const answer = await fetch(`${location.origin}${IDENTITY_PATH}/v2/accounts/mfaRecoveryCodes:create?key=${IDENTITY_API_KEY}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ idToken: await user().getIdToken() }),
      })
      const json = (await answer.json().catch(() => ({}))) as { recoveryCodes?: string[]; error?: { message: string } }
      if (json.recoveryCodes) return json.recoveryCodes
      const old = json.error?.message === 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'
      throw { code: old ? 'auth/requires-recent-login' : 'auth/network-request-failed', message: '' }
    },
    async turnOff() {
      const [factor] = multiFactor(user()).enrolledFactors
      if (factor) await withMessage(multiFactor(user()).unenroll(factor))
    },
  }
}
