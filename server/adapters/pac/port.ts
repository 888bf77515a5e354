/** The port of the provider that stamps invoices (PAC): its calls and their results. */
import type { KeyObject } from 'node:crypto'
import type { SealedColumn } from '#server/platform/secret-box.ts'

/** The column of the encrypted private keys of certificates of digital seal. */
export const SEAL_KEYS: SealedColumn = { table: 'fiscal_certificate', column: 'sealed_key', id: 'number' }

/** A refusal of the SAT's matrix of errors or of the provider. */
export interface PacRefusal {
  /** "CFDI40145", "401". */
  code: string
  message: string
}

export type Cancellation = 'none' | 'requested' | 'accepted' | 'rejected'

/**
 * The known state of one document. `unknown`: the answer is missing, so the document may or may not exist; `find` reads it later. `isOver`:
 * the provider answered that it is too late to stamp it, without a state. `isUnsent`: the provider did not accept the keys, so it took
 * nothing.
 */
export type PacFact =
  | { state: 'valid'; uuid: string; xml: string; cancellation: Cancellation }
  | { state: 'cancelled'; uuid: string; xml: string; receipt: string }
  | { state: 'refused'; refusal: PacRefusal }
  | { state: 'absent' }
  | { state: 'unknown'; why: string; isOver?: true; isUnsent?: true }

export interface TestTaxpayer {
  rfc: string
  name: string
  postalCode: string
  regimes: readonly string[]
}

/** A certificate of digital seal with its private key: a cancellation is sealed too. */
export interface SealPair {
  /** DER in Base64. */
  certificate: string
  key: KeyObject
}

/** A document as it was stamped. */
export interface StampedDocument {
  uuid: string
  xml: string
}

export interface PacPort {
  /** Stored with every document: its later calls go to the same provider. */
  id: string
  /** The account there. Stored with every document that is sent: another account does not have the document, and would stamp it again. */
  account: string
  /** Stamps have no fiscal validity. */
  isSandbox: boolean
  /** Stamps a sealed CFDI. The same key and document give the same stamp, however often; another document under a used key is refused. */
  stamp(input: { xml: string; key: string }): Promise<PacFact>
  /**
   * Reads the state of a key and its document; `absent` once it is certain that nothing was stamped under it. A provider without such a
   * call sends the document again, which stamps it where the first attempt did not.
   */
  find(input: { xml: string; key: string }): Promise<PacFact>
  /** Asks to cancel. `valid` with `requested`: the receiver has to accept. */
  cancel(
    input: StampedDocument & { rfc: string; motive: string; substitute?: string | undefined; seal: () => Promise<SealPair> },
  ): Promise<PacFact>
  /** The state of a document at the SAT. `isCancelling`: its cancellation was requested, and the SAT accepted the request. */
  read(input: StampedDocument & { isCancelling: boolean }): Promise<PacFact>
  /**
   * UUIDs of an issuer that were cancelled since an instant, also by others: in the SAT's portal. An adapter without such a list reads the
   * SAT's status of each candidate.
   */
  cancelledSince(input: { rfc: string; from: Date; candidates: () => AsyncIterable<StampedDocument> }): Promise<string[]>
  /** Whether it answers and accepts the keys. Changes nothing. */
  check(): Promise<'ok' | 'refused' | 'silent'>
  /** A certificate of digital seal for an invented taxpayer; only in the sandbox. */
  issueTestCertificate?(taxpayer: TestTaxpayer): Promise<{ certificate: Uint8Array; key: Uint8Array; password: string }>
  /** Receivers that exist in the sandbox. */
  testTaxpayers?: readonly TestTaxpayer[]
}
