/** More than the largest page is taken as the largest page, as the contract says. */
export type Pager = <Request extends { pageSize: number }>(request: Request) => Request;

export function pagesOfAtMost(most: number): Pager {
  return (request) => {
    request.pageSize = Math.min(request.pageSize, most);
    return request;
  };
}
