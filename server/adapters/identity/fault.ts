/** Client faults with Google's codes, which the SDK maps to its own error codes. */

export type FaultCode =
  | 'ADMIN_ONLY_OPERATION'
  | 'CONFIGURATION_NOT_FOUND'
  | 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'
  | 'EMAIL_EXISTS'
  | 'EMAIL_NOT_FOUND'
  | 'EXPIRED_OOB_CODE'
  | 'INSUFFICIENT_PERMISSION'
  | 'INVALID_ARGUMENT'
  | 'INVALID_CODE'
  | 'INVALID_CONTINUE_URI'
  | 'INVALID_EMAIL'
  | 'INVALID_GRANT_TYPE'
  | 'INVALID_HOSTING_LINK_DOMAIN'
  | 'INVALID_ID_TOKEN'
  | 'INVALID_IDENTIFIER'
  | 'INVALID_LOGIN_CREDENTIALS'
  | 'INVALID_MFA_PENDING_CREDENTIAL'
  | 'INVALID_OOB_CODE'
  | 'INVALID_PASSWORD'
  | 'INVALID_REFRESH_TOKEN'
  | 'INVALID_REQ_TYPE'
  | 'INVALID_SESSION_INFO'
  | 'MFA_ENROLLMENT_NOT_FOUND'
  | 'MISSING_CODE'
  | 'MISSING_CONTINUE_URI'
  | 'MISSING_EMAIL'
  | 'MISSING_GRANT_TYPE'
  | 'MISSING_ID_TOKEN'
  | 'MISSING_IDENTIFIER'
  | 'MISSING_MFA_ENROLLMENT_ID'
  | 'MISSING_MFA_PENDING_CREDENTIAL'
  | 'MISSING_OOB_CODE'
  | 'MISSING_PASSWORD'
  | 'MISSING_REFRESH_TOKEN'
  | 'MISSING_REQ_TYPE'
  | 'MISSING_SESSION_INFO'
  | 'NOT_FOUND'
  | 'OPERATION_NOT_ALLOWED'
  | 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS'
  | 'REQUEST_TOO_LARGE'
  | 'SECOND_FACTOR_EXISTS'
  | 'TOKEN_EXPIRED'
  | 'TOO_MANY_ATTEMPTS_TRY_LATER'
  | 'UNAUTHORIZED_DOMAIN'
  | 'UNEXPECTED_PARAMETER'
  | 'USER_DISABLED'
  | 'USER_NOT_FOUND'
  | 'WEAK_PASSWORD'

/** A request that the service refuses; nothing is written. Any other error is a fault of ours and is not answered with JSON. */
export class IdentityFault extends Error {
  readonly code: FaultCode | 'API_KEY'
  readonly status: number
  constructor(code: FaultCode | 'API_KEY', message: string, status: number) {
    super(message)
    this.name = 'IdentityFault'
    this.code = code
    this.status = status
  }
}

/** Creates the fault that an operation throws. The SDK shows `text` only to developers. */
export function identityFault(code: FaultCode, text?: string, status = 400): IdentityFault {
  return new IdentityFault(code, text ? `${code} : ${text}` : code, status)
}

/** The error format of Google's APIs. */
export function envelope(problem: IdentityFault): object {
  const { message, status } = problem
  return { error: { code: status, message, errors: [{ message, domain: 'global', reason: 'invalid' }] } }
}

/** Too many requests at once: answered without JSON, because the SDK signs its user out over a JSON error. */
export class Overloaded extends Error {
  constructor() {
    super('Too many passwords are being checked at once.')
    this.name = 'Overloaded'
  }
}
