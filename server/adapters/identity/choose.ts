/**
 * Chooses the identity service: embedded, unless the setting `firebaseConfig` names a Google project. The setting may change at run time.
 */
import type { Settings } from '#contract/settings.ts'
import { embeddedIdentity } from './embedded.ts'
import { googleIdentity } from './google.ts'
import type { IdentityPort } from './port.ts'
import type { IdentityDeps } from './service.ts'

/** The Google project in use, or null. An incomplete setting counts as none, so that it does not block all sign-ins. */
function googleProject(settings: Pick<Settings, 'firebaseConfig'>): { projectId: string; apiKey: string } | null {
  const { projectId, apiKey } = settings.firebaseConfig ?? {}
  return projectId && apiKey ? { projectId, apiKey } : null
}

export function chooseIdentity(deps: IdentityDeps): IdentityPort {
  const embedded = embeddedIdentity(deps, () => googleProject(deps.settings()) === null)
  let google: { key: string; port: IdentityPort } | undefined
  function current(): IdentityPort {
    const project = googleProject(deps.settings())
    if (!project) return embedded
    const key = `${project.projectId} ${project.apiKey}`
    // Reused while the project stays the same: it caches Google's keys and verified tokens.
    if (google?.key !== key) google = { key, port: googleIdentity({ ...project, now: deps.now, log: deps.log }) }
    return google.port
  }
  return {
    verify: (token) => current().verify(token),
    createAccount: (input) => current().createAccount(input),
    removeAccount: (uid, token) => current().removeAccount(uid, token),
    accountStatus: (uid) => current().accountStatus(uid),
    revokeSessions: (uid) => current().revokeSessions(uid),
    listSessions: (uid) => current().listSessions(uid),
    endSession: (uid, session) => current().endSession(uid, session),
    endOtherSessions: (uid, currentSession) => current().endOtherSessions(uid, currentSession),
    createsAccounts: () => current().createsAccounts(),
    lastSignIns: (uids) => current().lastSignIns(uids),
    withSecondFactor: (uids) => current().withSecondFactor(uids),
    resetSecondFactor: (uid) => current().resetSecondFactor(uid),
    setDisabled: (uid, disabled) => current().setDisabled(uid, disabled),
    sendPasswordLink: (email, next) => current().sendPasswordLink(email, next),
    passwordLink: (uid, milliseconds, next) => current().passwordLink(uid, milliseconds, next),
    sendConfirmationLink: (uid, token) => current().sendConfirmationLink(uid, token),
    tokenFor: (uid, seconds) => current().tokenFor(uid, seconds),
    // The embedded endpoints and jobs are always registered; in Google mode the endpoints refuse.
    register: (app) => embedded.register(app),
    jobs: () => embedded.jobs(),
  }
}
