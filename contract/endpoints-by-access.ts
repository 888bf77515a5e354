/** The endpoints of the administration and those of visitors and customers, apart: the browser loads each part where it is needed. */
import { type Access, isStaffAccess } from './endpoint.ts'
import { contract } from './index.ts'

/** A declared endpoint; everything else in the contract is a group of them. */
interface Declared {
  '~orpc': { meta: { access: Access }; route: { method: string; path: string } }
}
/** How endpoints are called, by their names in the contract: "GET /videos/{video_id}", without schemas, errors and documentation. */
export interface EndpointTree {
  [name: string]: string | EndpointTree
}

const isDeclared = (node: object): node is Declared => '~orpc' in node

function pick(tree: object, isWanted: (access: Access) => boolean): EndpointTree {
  const picked: EndpointTree = {}
  for (const [name, node] of Object.entries(tree as Record<string, object>)) {
    if (isDeclared(node)) {
      const { meta, route } = node['~orpc']
      if (isWanted(meta.access)) picked[name] = `${route.method} ${route.path}`
    } else {
      const group = pick(node, isWanted)
      if (Object.keys(group).length > 0) picked[name] = group
    }
  }
  return picked
}

/** Endpoints for visitors and customers. */
export const customerEndpoints = (): EndpointTree => pick(contract, (access) => !isStaffAccess(access))
/** Endpoints for staff only. */
export const staffEndpoints = (): EndpointTree => pick(contract, isStaffAccess)
