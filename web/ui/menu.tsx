import {
  type ComponentPropsWithoutRef,
  type ElementType,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import './menu.css'

interface MenuProps {
  /** accessible name, if the button's contents do not give one */
  label?: string
  /** contents of the button */
  button: ReactNode
  buttonClass?: string
  /** open from its first render on: it was loaded because its button was used */
  startsOpen?: boolean
  /** `MenuItem`s, and `<hr>` between groups */
  children: ReactNode
}

const itemsOf = (root: HTMLElement | null): HTMLElement[] => [...(root?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]

/** A button and the menu that it opens. Arrows, Home, End and letters move the focus; Escape and a click outside close it. */
export function Menu({ label, button, buttonClass = 'menu-button', startsOpen = false, children }: MenuProps) {
  const [open, setOpen] = useState(startsOpen)
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()

  useEffect(() => {
    if (!open) return
    // The list ends where its button does; one whose button is at the left of a phone would begin outside the window.
    const list = root.current?.lastElementChild as HTMLElement
    const { left } = list.getBoundingClientRect()
    if (left < 8) list.style.right = `${left - 8}px`
    itemsOf(root.current)[0]?.focus()
    const outside = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])

  const close = (): void => {
    setOpen(false)
    opener.current?.focus()
  }
  const move = (event: KeyboardEvent): void => {
    const list = itemsOf(root.current)
    const at = list.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key]
    const typed = event.key.length === 1 ? event.key.toLocaleLowerCase('es-MX') : ''
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (to !== undefined) list.at(to % list.length)?.focus()
    else if (typed && typed !== ' ') {
      const candidates = [...list.slice(at + 1), ...list.slice(0, at + 1)]
      candidates.find((item) => item.textContent?.trim().toLocaleLowerCase('es-MX').startsWith(typed))?.focus()
    }
    if (event.key === 'Escape' || to !== undefined) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  return (
    <div ref={root} className="menu">
      <button
        ref={opener}
        type="button"
        className={buttonClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {button}
      </button>
      {open && (
        <div id={id} role="menu" tabIndex={-1} className="menu-list" onKeyDown={move} onClick={close}>
          {children}
        </div>
      )}
    </div>
  )
}

type MenuItemProps<C extends ElementType> = { as?: C; icon?: ReactNode; children: ReactNode } & Omit<
  ComponentPropsWithoutRef<C>,
  'as' | 'children'
>

/** An item of a menu: a button, or a link with `as`. */
export function MenuItem<C extends ElementType = 'button'>(props: MenuItemProps<C>) {
  const { as, icon, children, ...rest } = props as MenuItemProps<ElementType>
  const Tag: ElementType = as ?? 'button'
  return (
    <Tag {...(Tag === 'button' ? { type: 'button' } : {})} {...rest} role="menuitem" tabIndex={-1} className="menu-item">
      {icon}
      {children}
    </Tag>
  )
}
