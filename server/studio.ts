/** Opens a studio: its database, events, jobs, settings and ports, as `ctx` carries them. No HTTP. */
import type pg from 'pg'
import { FISCAL_KEYS, type FiscalKeyName } from '#contract/fiscal-provider.ts'
import { PROCESSOR_KEYS, type ProcessorKeyName } from '#contract/processor-states.ts'
import { WALLET_KEYS, type WalletKeyName } from '#contract/wallet-passes.ts'
import { chooseFiles } from '#server/adapters/files/choose.ts'
import { chooseIdentity } from '#server/adapters/identity/choose.ts'
import { CHALLENGE_SECRETS, FACTOR_SECRETS, SIGNING_KEYS } from '#server/adapters/identity/sealed.ts'
import { chooseMail, mailsAtOnce } from '#server/adapters/mail/choose.ts'
import { SEAL_KEYS } from '#server/adapters/pac/port.ts'
import { describeCredentials, isTakerOfEnvironment, withStoredKeys } from '#server/adapters/payments/choose.ts'
import { choosePush } from '#server/adapters/push/choose.ts'
import { queuesOf } from '#server/adapters/queues.ts'
import { mergeWalletKeys } from '#server/adapters/wallet-passes/choose.ts'
import { chooseWebhooks } from '#server/adapters/webhooks/choose.ts'
import { WEBHOOK_SECRETS } from '#server/adapters/webhooks/port.ts'
import { chooseWhatsApp } from '#server/adapters/whatsapp/choose.ts'
import type { Config } from '#server/config.ts'
import { writeClassRefusals } from '#server/modules/bookings/bookings.ts'
import { bookingJobs } from '#server/modules/bookings/jobs.ts'
import { broadcastRelevance } from '#server/modules/broadcasts/broadcasts.ts'
import { broadcastJobs } from '#server/modules/broadcasts/jobs.ts'
import { bulkJobs } from '#server/modules/bulk/jobs.ts'
import { contentJobs } from '#server/modules/content/jobs.ts'
import { creditJobs } from '#server/modules/credits/jobs.ts'
import type { Studio } from '#server/modules/ctx.ts'
import { isInSegment } from '#server/modules/customers/customers.ts'
import { customerJobs } from '#server/modules/customers/jobs.ts'
import { fiscalJobs } from '#server/modules/fiscal/jobs.ts'
import { fiscalFiles, fiscalRelevance } from '#server/modules/fiscal/notifications.ts'
import { importJobs } from '#server/modules/imports/jobs.ts'
import { incomeJobs } from '#server/modules/income/jobs.ts'
import { watchForDeliveries } from '#server/modules/integrations/integrations.ts'
import { integrationJobs } from '#server/modules/integrations/jobs.ts'
import { messageJobs } from '#server/modules/messages/jobs.ts'
import { asHandlers, type ModuleJob } from '#server/modules/module-job.ts'
import { payrollJobs } from '#server/modules/payroll/jobs.ts'
import { peopleJobs } from '#server/modules/people/jobs.ts'
import { getRole } from '#server/modules/people/people.ts'
import { planningJobs } from '#server/modules/planning/jobs.ts'
import { reportJobs } from '#server/modules/reports/jobs.ts'
import { rollupJobs } from '#server/modules/rollups/jobs.ts'
import { salesJobs } from '#server/modules/sales/jobs.ts'
import { keyEnding, PROCESSOR_KEY_SECRETS } from '#server/modules/settings/processor-keys.ts'
import { openSettings } from '#server/modules/settings/settings.ts'
import { teamJobs } from '#server/modules/team/jobs.ts'
import { findSharedDevice, sessionKey } from '#server/modules/team/shared-device.ts'
import { todayJobs } from '#server/modules/today/jobs.ts'
import { logInvalidValues } from '#server/platform/checked-columns.ts'
import { openDb } from '#server/platform/db.ts'
import { openEvents } from '#server/platform/events.ts'
import { openJobs } from '#server/platform/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import { openSecretBox, type SealedColumn } from '#server/platform/secret-box.ts'
import { LINK_KEYS, openSigner } from '#server/platform/signing.ts'
import { upkeepJobs } from '#server/platform/upkeep.ts'
import { bookingRelevance } from './modules/bookings/notifications/notifications.ts'
import { customerRelevance } from './modules/customers/invite.ts'
import { afterSalesJobs } from './modules/sales/aftersales-jobs.ts'
import { salesRelevance } from './modules/sales/notifications/notifications.ts'
import { openProviders } from './providers.ts'

export interface StudioOptions {
  connection: string | pg.PoolConfig
  config: Config
  log: Log
  clock?: () => Date
  /** Connections of this process. */
  poolSize?: number
  /** How long reads may be cached, in seconds; 0 = no caching. */
  cacheSeconds?: number
}

export interface OpenStudio extends Studio {
  /** Starts this process's job workers. */
  work(): Promise<void>
  close(): Promise<void>
}

/** Every column of the database that holds encrypted secrets. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  LINK_KEYS,
  SIGNING_KEYS,
  FACTOR_SECRETS,
  CHALLENGE_SECRETS,
  WEBHOOK_SECRETS,
  PROCESSOR_KEY_SECRETS,
  SEAL_KEYS,
]

/** The endings of the processors' and wallets' keys that the environment sets. */
const keysOfEnvironment = (config: Config): ReadonlyMap<string, string> =>
  new Map(
    [...Object.values(PROCESSOR_KEYS), ...Object.values(WALLET_KEYS), FISCAL_KEYS]
      .flatMap((keys) => Object.keys(keys))
      .flatMap((name) => {
        const value = config[name as ProcessorKeyName | WalletKeyName | FiscalKeyName]
        return value ? [[name, keyEnding(name, value)] as const] : []
      }),
  )

/**
 * Opens a studio on a migrated database. On failure everything opened so far is closed: a connection left behind would keep the embedded
 * database up.
 */
export async function openStudio(options: StudioOptions): Promise<OpenStudio> {
  const opened: { close(): Promise<unknown> }[] = []
  try {
    return await assemble(options, opened)
  } catch (error) {
    for (const part of opened.reverse()) await part.close().catch(() => {})
    throw error
  }
}

/** The jobs of every module. */
const MODULE_JOBS: readonly ModuleJob[] = [
  ...messageJobs({ ...bookingRelevance, ...salesRelevance, ...fiscalRelevance, ...customerRelevance, ...broadcastRelevance }, fiscalFiles),
  ...creditJobs,
  ...peopleJobs,
  ...contentJobs,
  ...salesJobs,
  ...afterSalesJobs,
  ...bookingJobs,
  ...planningJobs,
  ...payrollJobs,
  ...customerJobs,
  ...fiscalJobs,
  ...bulkJobs,
  ...broadcastJobs,
  ...todayJobs,
  ...reportJobs,
  ...rollupJobs,
  ...incomeJobs,
  ...teamJobs,
  ...integrationJobs,
  ...importJobs,
]

async function assemble(options: StudioOptions, opened: { close(): Promise<unknown> }[]): Promise<OpenStudio> {
  const { config, log } = options
  const clock = options.clock ?? (() => new Date())
  const db = openDb({ connection: options.connection, log, ...(options.poolSize ? { max: options.poolSize } : {}) })
  opened.push(db)
  const stopLogging = logInvalidValues(log)
  opened.push({ close: async () => stopLogging() })
  const secrets = await openSecretBox({
    db,
    file: config.masterKeysFile,
    canMake: config.MASTER_KEYS_FILE === undefined,
    columns: SEALED_COLUMNS,
    log,
  })
  const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`
  const providers = await openProviders({ db, config, log, publicUrl, now: clock, secrets })
  const events = await openEvents(options.connection, db.pool, log)
  opened.push(events)
  const jobs = await openJobs(db.pool, log, queuesOf(providers.payments.gateways.keys(), { mailsAtOnce: mailsAtOnce(config) }))
  opened.push({ close: () => jobs.stop() })
  db.attachOutbox({ sendJobs: jobs.sendJobs, publish: events.publish })
  const settings = await openSettings(db, events, log)
  events.listen(({ topic }) => {
    if (topic === 'processors' || topic === 'missed')
      providers.refresh().catch((error: unknown) => log.error({ error }, 'processors.reload_failed'))
  })
  const outside = { db, config, log, publicUrl, now: clock, settings: settings.read, events }
  const mail = chooseMail(config, outside)
  const identity = chooseIdentity({
    ...outside,
    mail,
    secrets,
    isStaff: async (uid) => (await getRole(db.read, uid)) !== null,
    isSharedSession: async (of) => (await findSharedDevice(db.read, sessionKey(of))) !== null,
  })
  const whatsapp = chooseWhatsApp(config, outside)
  const push = await choosePush(config, { db, secrets, publicUrl })

  const studio: Studio = {
    db,
    events,
    jobs,
    log,
    sealFiscalKey: (number, plain) => secrets.seal(plain, SEAL_KEYS, number),
    openFiscalKey: (number, sealed) => secrets.open(sealed, SEAL_KEYS, number),
    sealProcessorKey: (name, plain) => secrets.seal(plain, PROCESSOR_KEY_SECRETS, name),
    refreshProcessors: providers.refresh,
    walletKeys: () => mergeWalletKeys(config, providers.keys),
    signer: await openSigner(db, secrets),
    publicUrl,
    isInSegment,
    clock,
    settings: settings.read,
    onSettings: settings.onChange,
    refreshSettings: settings.refresh,
    ports: {
      files: chooseFiles(config, settings.read),
      mail,
      whatsapp,
      push,
      webhooks: chooseWebhooks(config, { secrets }),
      identity,
      // Getters: the owner may type other keys while the studio is open.
      get gateways() {
        return providers.payments.gateways
      },
      get cards() {
        return providers.payments.cards
      },
      get wallet() {
        return providers.payments.wallet
      },
      get pac() {
        return providers.pacs.pac
      },
      get pacs() {
        return providers.pacs.pacs
      },
      get passes() {
        return providers.passes
      },
      get credentials() {
        return describeCredentials(withStoredKeys(config, providers.keys))
      },
      keysOfEnvironment: keysOfEnvironment(config),
      isTakerOfEnvironment: isTakerOfEnvironment(config),
    },
    cacheSeconds: options.cacheSeconds ?? 10,
  }
  jobs.register([...upkeepJobs(db, clock), ...mail.jobs(), ...whatsapp.jobs(), ...identity.jobs(), ...asHandlers(studio, MODULE_JOBS)])
  let stopWatching: (() => Promise<void>) | undefined
  return {
    ...studio,
    async work() {
      await jobs.work()
      stopWatching ??= watchForDeliveries(studio)
    },
    async close() {
      await stopWatching?.()
      await jobs.stop()
      await writeClassRefusals(studio)
      await mail.close()
      await events.close()
      await db.close()
      stopLogging()
    },
  }
}
