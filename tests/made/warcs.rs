//! Records of crawls.

pub(crate) fn record(kind: &str, uri: &str, block: &[u8], length: &str) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nwarc-type: {kind}\r\nWARC-Target-URI:\r\n {uri}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub(crate) fn page(number: usize, body: &[u8], fields: &str) -> Vec<u8> {
    let block = response(body, fields);
    record("response", &format!("http://s{number}.example/d/p"), &block, &block.len().to_string())
}

pub(crate) fn response(body: &[u8], fields: &str) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=shift_jis\r\n{fields}\r\n");
    [head.as_bytes(), body].concat()
}
