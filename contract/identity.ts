/**
 * What browser and server agree on about the embedded identity service (settled 8): where it is and how the SDK names it.
 * In Google mode (`firebaseConfig` set) none of this is used.
 */

/** Path prefix of the service on the studio's own origin: `auth.config.apiHost` and `tokenApiHost` are `host + IDENTITY_PATH`. */
export const IDENTITY_PATH = '/identidad'

/** Public name of the project; it is also part of the SDK's storage key, so it must differ from any key of Google. */
export const IDENTITY_API_KEY = 'estudio-identidad'

/** Audience of the embedded service's tokens. */
export const IDENTITY_PROJECT = 'estudio'

/** The page that the links of identity mails open: `?mode=..&oobCode=..&apiKey=..&continueUrl=..&lang=es`. */
export const ACTION_PATH = '/cuenta/accion'

/** Ends the client's session on the server at log-out, under /api: the SDK's own sign-out only deletes it in the browser. */
export const LOGOUT_PATH = '/customer/logout'

/** The `mode` values of those links, as the SDK's `parseActionCodeURL` knows them. */
export const ACTION_MODES = ['resetPassword', 'verifyEmail', 'verifyAndChangeEmail', 'signIn', 'recoverEmail'] as const
export type ActionMode = (typeof ACTION_MODES)[number]
