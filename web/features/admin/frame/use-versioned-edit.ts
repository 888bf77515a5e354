import { useState } from 'react'
import { useIdempotentMutation } from '#web/lib/api.ts'
import type { CallContext } from '#web/lib/client.ts'
import { toFailure } from '#web/lib/errors.ts'
import { isSameJson } from '#web/lib/same-json.ts'

/**
 * Both versions of a record that was saved by another person since it was loaded. `mine` includes their changes of fields that were not
 * changed here.
 */
export interface EditConflict<Draft> {
  /** The refusal's sentence: who changed it and when. */
  message: string
  theirs: Draft
  mine: Draft
  onTakeTheirs: () => void
  onSaveMine: () => void
  onClose: () => void
}

interface EditOptions<Stored, Draft, Answer> {
  /** The newest stored version; null: a new record. */
  stored: Stored | null
  toDraft: (stored: Stored) => Draft
  /** The draft of a new record. */
  start: Draft
  /**
   * Sends the draft over the stored version from which it was made, or over which it is saved. `how` has the idempotency key of a
   * new record.
   */
  send: (draft: Draft, from: Stored | null, how: { context: CallContext }) => Promise<Answer>
  /** Reloads what `stored` comes from. */
  reload: () => Promise<unknown>
  onSaved: (answer: Answer) => unknown
  /** A form that is not edited follows the stored version. Off in panels, which close after each save. */
  follows?: boolean
  /** Their version with what was edited since `base`. */
  merge?: (base: Draft, mine: Draft, theirs: Draft) => Draft
}

/** Their version with the keys that were edited since `base`. Objects in it are taken whole. */
export function mergeEdit<Draft extends object>(base: Draft, mine: Draft, theirs: Draft): Draft {
  const edited = Object.entries(mine).filter(([key, value]) => !isSameJson(value, base[key as keyof Draft]))
  return { ...theirs, ...Object.fromEntries(edited) }
}

/**
 * The edit of a record with an optimistic lock. The draft stays with the version from which it was made, whatever arrives meanwhile; a save
 * that is refused with CHANGED_MEANWHILE reloads the record and offers both versions.
 */
export function useVersionedEdit<Stored extends object, Draft extends object, Answer>({
  stored,
  toDraft,
  start,
  send,
  reload,
  onSaved,
  follows = false,
  merge = mergeEdit,
}: EditOptions<Stored, Draft, Answer>) {
  const [base, setBase] = useState(stored)
  const before = base ? toDraft(base) : start
  const [draft, setDraft] = useState(before)
  const [hasConflict, setConflict] = useState(false)
  const isChanged = !isSameJson(draft, before)
  const follow = (version: Stored) => {
    setBase(version)
    setDraft(toDraft(version))
  }
  if (follows && stored && !isChanged && base !== stored) follow(stored)
  const save = useIdempotentMutation((edit: { draft: Draft; from: Stored | null }, how) => send(edit.draft, edit.from, how), {
    onSuccess: onSaved,
    onError: (error) => (toFailure(error).code === 'CHANGED_MEANWHILE' ? void reload().then(() => setConflict(true)) : undefined),
  })
  const conflictOver = (version: Stored): EditConflict<Draft> => {
    const mine = merge(before, draft, toDraft(version))
    return {
      message: save.error ? toFailure(save.error).message : '',
      theirs: toDraft(version),
      mine,
      onTakeTheirs: () => {
        follow(version)
        setConflict(false)
        save.reset()
      },
      onSaveMine: () => {
        setBase(version)
        setDraft(mine)
        setConflict(false)
        save.mutate({ draft: mine, from: version })
      },
      onClose: () => setConflict(false),
    }
  }
  const failure = save.error ? toFailure(save.error) : null
  return {
    base,
    before,
    draft,
    setDraft,
    isChanged,
    follow,
    save: () => save.mutate({ draft, from: base }),
    saveAs(edited: Draft) {
      setDraft(edited)
      save.mutate({ draft: edited, from: base })
    },
    /** Takes a version that a control of its own saved; what is typed stays. */
    rebase(version: Stored) {
      setDraft(merge(before, draft, toDraft(version)))
      setBase(version)
    },
    isSaving: save.isPending,
    /** Why it was not saved, unless both versions are offered. */
    refusal: failure?.code === 'CHANGED_MEANWHILE' ? null : failure,
    conflict: hasConflict && stored && save.error ? conflictOver(stored) : null,
  }
}
