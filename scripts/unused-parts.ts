/**
 * Leaves out of the browser's files what React and React Router have for applications that are made otherwise than this one: 14 kB of every
 * page. Of the router that is forms that are sent through it, parts of pages that are loaded by fetchers, routes that are found little by
 * little, and server components; of React it is view transitions, references to fragments, styles and scripts that components load, actions
 * of forms and `Activity`. None of it can be shaken off: one large function contains it, or the reconciler names it for each kind of
 * component. `biome.json` forbids the imports that need it, scripts/floors.mjs the props and options.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

interface Unused {
  /**
   * Of the file as its package has it (the first twelve digits of its SHA-256): in another version a function may do more under its name.
   */
  readonly hash: string
  /** Functions that nothing of ours reaches; the text is what their body becomes. */
  readonly functions?: Readonly<Record<string, string>>
  /** Assignments of the file's top level that are left out, by what they assign to. */
  readonly assignments?: RegExp
}

const empty = (names: string) => Object.fromEntries(names.split(/\s+/).map((name) => [name, '']))

const UNUSED: Readonly<Record<string, Unused>> = {
  'react-dom/cjs/react-dom-client.production.js': {
    hash: 'a319b413b7a1',
    functions: {
      // <ViewTransition>: without one, no commit starts a transition, and none of these finds anything to do.
      ...empty(`getClassNameByType trackEnterViewTransitions applyViewTransitionToHostInstancesRecursive restoreViewTransitionOnHostInstances
        commitAppearingPairViewTransitions commitEnterViewTransitions commitDeletedPairViewTransitions commitExitViewTransitions
        commitNestedViewTransitions restorePairedViewTransitions restoreEnterOrExitViewTransitions restoreNestedViewTransitions
        measureViewTransitionHostInstancesRecursive measureNestedViewTransitions recursivelyTraverseAfterMutationEffects
        commitAfterMutationEffectsOnFiber flushAfterMutationEffects reportViewTransitionError startViewTransition createViewTransitionInstance
        ViewTransitionPseudoElement createMeasurement measureInstance measureClonedInstance applyViewTransitionName restoreViewTransitionName
        scheduleViewTransitionEvent queueTransitionTypes getViewTransitionName getViewTransitionClassName applyViewTransitionToHostInstances
        pushViewTransitionCancelableScope`),
      // Pictures that a commit waits for: only inside a <ViewTransition>.
      preloadInstanceAndSuspendIfNeeded: 'workInProgress.flags &= -16777217',
      ...empty('maySuspendCommit suspendInstance accumulateSuspenseyCommitOnFiber recursivelyAccumulateSuspenseyCommit estimateBandwidth'),
      waitForCommitToBeReady: 'return null',
      // <Fragment ref>.
      ...empty(`FragmentInstance commitNewChildToFragmentInstances commitNewChildToFragmentInstance commitFragmentInstanceInsertionEffects
        commitFragmentInstanceDeletionEffects deleteChildFromFragmentInstance addFragmentHandleToFiber addFragmentHandleToInstance`),
      // <link precedence>, <style precedence>, <script async src>, and preload, preinit and their like.
      getResource: 'return null',
      ...empty(`acquireResource preloadStylesheet insertStylesheet adoptPreloadPropsForStylesheet adoptPreloadPropsForScript preconnectAs preconnect
        prefetchDNS preload preloadModule preinitStyle preinitScript preinitModuleScript preloadResourceAndSuspendIfNeeded suspendResource
        insertSuspendedStylesheets insertStylesheetIntoRoot`),
      // <form action={function}>, useFormStatus, useActionState.
      ...empty(`extractEvents$1 startHostTransition ensureFormComponentIsStateful requestFormReset requestFormReset$1 recursivelyResetForms
        TransitionAwareHostComponent dispatchActionState runActionStateAction handleActionReturnValue onActionSuccess onActionError
        notifyActionListeners mountActionState updateActionState updateActionStateImpl rerenderActionState useHostTransitionStatus`),
      // <Activity>, <SuspenseList>.
      ...empty(`updateActivityComponent mountActivityChildren retryActivityComponentWithoutHydrating commitActivityHydrationCallbacks
        pushDehydratedActivitySuspenseHandler updateSuspenseListComponent initSuspenseListRenderState
        cutOffTailIfNeeded findLastContentRow reverseChildren`),
      getActivityInstanceFromFiber: 'return null',
      // Hooks that nothing calls: the compiler's cache, effect events, cache refreshes.
      ...empty('useMemoCache useEffectEventImpl updateEvent refreshCache'),
      // Elements with a hyphen in their name; `onBeforeInput`; `onSelect`.
      ...empty('setPropOnCustomElement getNativeBeforeInputChars getFallbackBeforeInputChars constructSelectEvent'),
      // Where in its file a component of an error's stack is: the names of the built files mean nothing.
      describeNativeComponentFrame: 'return describeBuiltInComponentFrame(fn ? fn.displayName || fn.name : "")',
      ...empty('findCurrentFiberUsingSlowPath findCurrentHostFiberImpl attemptExplicitHydrationTarget'),
    },
    assignments:
      /^(?:FragmentInstance|ViewTransitionPseudoElement)\.prototype\.|^ReactDOMSharedInternals\.findDOMNode$|^ReactDOMHydrationRoot\.prototype\.unstable_|^exports\.createRoot$/,
  },
  'react-dom/cjs/react-dom.production.js': {
    hash: '7a05d7f7bb2b',
    assignments: /^exports\.(?:preconnect|prefetchDNS|preinit|preload|requestFormReset|unstable_|useForm)/,
  },
  'react/cjs/react.production.js': {
    hash: '0b5529981841',
    // `Children`: no component reads what is inside of another.
    functions: empty('mapIntoArray mapChildren resolveThenable addTransitionType'),
    assignments: /^exports\.(?:cache|addTransitionType|unstable_|useActionState|useEffectEvent|__COMPILER_RUNTIME$)/,
  },
  // A query neither grows page by page, nor suspends, nor throws.
  '@tanstack/query-core/build/modern/infiniteQueryBehavior.js': {
    hash: 'dd4b89ed4e53',
    functions: empty('infiniteQueryBehavior getNextPageParam getPreviousPageParam'),
  },
  '@tanstack/react-query/build/modern/suspense.js': {
    hash: '2d1cd50a234c',
    functions: { ensureSuspenseTimers: '', shouldSuspend: 'return false', fetchOptimistic: '' },
  },
  '@tanstack/react-query/build/modern/errorBoundaryUtils.js': {
    hash: 'b60caa37b6bd',
    functions: { ensurePreventErrorBoundaryRetry: '', useClearResetErrorBoundary: '', getHasError: 'return false' },
  },
  'react-router/dist/production/lib/router/router.js': {
    hash: 'c57a8a443062',
    functions: {
      // No form is submitted through the router, and there are no fetchers.
      handleAction: '',
      fetch: '',
      handleFetcherAction: '',
      handleFetcherLoader: '',
      normalizeNavigateOptions: 'return { path }',
      // All routes of an area are in its list (`routeDiscovery` of react-router.config.ts).
      discoverRoutes: '',
      patchRoutesImpl: '',
    },
  },
  'react-router/dist/production/lib/router/instrumentation.js': {
    hash: '80f3af840062',
    functions: { getRouteInstrumentationUpdates: '', instrumentClientSideRouter: '' },
  },
  'react-router/dist/production/lib/dom/ssr/fog-of-war.js': {
    hash: 'eb9a6c534f1f',
    functions: { useFogOFWarDiscovery: '', getPatchRoutesOnNavigationFunction: '', isFogOfWarEnabled: 'return false' },
  },
  'react-router/dist/production/lib/dom/ssr/single-fetch.js': {
    hash: 'b48e0bfc4189',
    functions: { singleFetchActionStrategy: '', singleFetchLoaderFetcherStrategy: '', nonSsrStrategy: '' },
  },
  'react-router/dist/production/lib/dom/ssr/routes.js': {
    hash: 'a61893177d6a',
    functions: { createClientRoutesWithHMRRevalidationOptOut: '' },
  },
  // No link of ours prefetches a page.
  'react-router/dist/production/lib/dom/ssr/components.js': { hash: 'c558f81af805', functions: { PrefetchPageLinks: 'return null' } },
  // Components of forms and links that nothing renders.
  'react-router/dist/production/lib/dom/lib.js': { hash: '3fa62403d02a' },
  'react-router/dist/production/lib/hooks.js': {
    hash: '815f4e1a09bd',
    // The root has a page for errors.
    functions: { RSCErrorHandler: '', DefaultErrorComponent: 'return null' },
  },
}

/** The files that are changed, as below node_modules. */
export const patchedFiles = Object.keys(UNUSED)

const FILE = /[\\/]node_modules[\\/]((?:react|react-dom|react-router|@tanstack)[\\/].+\.js)$/

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: { readonly name: string } | null
  readonly body?: Node
  readonly expression?: Node
  readonly left?: Node
  readonly init?: Node | null
}

/** Every named function of a tree, also those inside others. */
function functionsOf(tree: unknown, found: Node[] = []): Node[] {
  if (tree === null || typeof tree !== 'object') return found
  if ('type' in tree && tree.type === 'FunctionDeclaration') found.push(tree as Node)
  if ('type' in tree && tree.type === 'VariableDeclarator') {
    const { id, init } = tree as Node
    if (id && init?.type === 'ArrowFunctionExpression') found.push({ ...init, id })
  }
  for (const inner of Object.values(tree)) functionsOf(inner, found)
  return found
}

export function unusedParts(): Plugin {
  const missing = new Set(Object.keys(UNUSED))
  return {
    name: 'unused-parts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      const file = FILE.exec(id)?.[1]?.replaceAll('\\', '/')
      const unused = file === undefined ? undefined : UNUSED[file]
      if (file === undefined || !unused) return null
      missing.delete(file)
      // The file itself: `code` may have been changed by another plugin.
      const hash = createHash('sha256').update(readFileSync(id)).digest('hex').slice(0, 12)
      if (hash !== unused.hash)
        throw new Error(`${file} is another version: read what changed, then write the new hash ${hash} (scripts/unused-parts.ts)`)
      const tree = this.parse(code)
      const functions = functionsOf(tree)
      const cuts = Object.entries(unused.functions ?? {}).map(([name, text]) => {
        const [first, ...others] = functions.filter((each) => each.id?.name === name)
        if (!first?.body || others.length > 0)
          throw new Error(`${file} has ${first ? 'several' : 'no'} ${name}: see scripts/unused-parts.ts`)
        return { start: first.body.start, end: first.body.end, text: `{ ${text} }` }
      })
      const { assignments } = unused
      if (assignments) {
        const left = (tree.body as Node[]).filter(({ expression }) => {
          const target = expression?.left
          return target && assignments.test(code.slice(target.start, target.end))
        })
        if (left.length === 0) throw new Error(`${file} assigns nothing of ${assignments}: see scripts/unused-parts.ts`)
        cuts.push(...left.map(({ start, end }) => ({ start, end, text: '' })))
      }
      let left = code
      for (const { start, end, text } of cuts.sort((a, b) => b.start - a.start)) left = left.slice(0, start) + text + left.slice(end)
      const shaken = left.replace(/^\w+\.displayName = .*;$/gm, '').replace(/(= )(React\$1\.forwardRef\()/g, '$1/* @__PURE__ */ $2')
      return { code: shaken, map: null }
    },
    buildEnd(error) {
      if (!error && missing.size > 0) throw new Error(`Not found: ${[...missing].join(', ')} (scripts/unused-parts.ts)`)
    },
  }
}
