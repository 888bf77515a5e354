import { useState } from 'react'
import { useSingleKeys } from '#web/features/admin/frame/preferences.ts'
import { registeredShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import './palette.css'

const MAC = /Mac|iP(?:hone|ad|od)/

/** The keys as they are printed on the keyboard: "Ctrl K", "g luego h". */
const keyNames = (keys: string): string[] =>
  keys.startsWith('Mod+') ? [MAC.test(navigator.userAgent) ? '⌘' : 'Ctrl', keys.slice(4).toUpperCase()] : keys.split(' ')

/** Atajos de teclado: the shortcuts of this screen and of all, and the switch of those of a single character. */
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const [groups] = useState(registeredShortcuts)
  const { isOn, turn } = useSingleKeys()
  const titles = [...new Set(groups.map(({ title }) => title))]
  return (
    <Dialog open onClose={onClose} title="Atajos de teclado" width="middle">
      <Checkbox checked={isOn} onChange={(event) => turn(event.currentTarget.checked)}>
        Usar atajos de una sola letra
      </Checkbox>
      <p className="small muted">Se guarda para ti, en todos tus dispositivos. Ningún atajo actúa mientras escribes en un campo.</p>
      <div className="shortcut-groups">
        {titles.map((title) => (
          <section key={title} aria-label={title}>
            <h3 className="t3">{title}</h3>
            <dl className="shortcut-list">
              {groups
                .filter((group) => group.title === title)
                .flatMap(({ shortcuts }) => shortcuts)
                .map(({ keys, label }) => (
                  <div key={keys} className="contents">
                    <dt>{label}</dt>
                    <dd>
                      {keyNames(keys).map((name, at) => (
                        <span key={name}>
                          {at > 0 && !keys.startsWith('Mod+') ? ' luego ' : ' '}
                          <kbd>{name}</kbd>
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section aria-label="En listas y ventanas">
          <h3 className="t3">En listas y ventanas</h3>
          <dl className="shortcut-list">
            <div className="contents">
              <dt>Abrir el renglón elegido</dt>
              <dd>
                <kbd>Enter</kbd>
              </dd>
            </div>
            <div className="contents">
              <dt>Cerrar lo que está abierto</dt>
              <dd>
                <kbd>Esc</kbd>
              </dd>
            </div>
          </dl>
        </section>
      </div>
    </Dialog>
  )
}
