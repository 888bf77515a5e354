import { type ComponentType, lazy, type ReactNode } from 'react'

const NotOpened = () => <p role="alert">No pudimos abrirlo. Revisa tu conexión o vuelve a cargar la página.</p>

/** A part in a chunk of its own; when it cannot be loaded a sentence (or `instead`) replaces it, and the rest of the page stays. */
export const lazyPart = <Props,>(load: () => Promise<{ default: ComponentType<Props> }>, instead: () => ReactNode = NotOpened) =>
  lazy<ComponentType<Props>>(() => load().catch(() => ({ default: instead })))
